#include "gtest_parity/suite.h"

#include <cstdlib>
#include <filesystem>

namespace parity {
namespace {

std::string ShellWord(const std::string& word) {
  if (word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                             "_-./=:,") == std::string::npos) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string Suite::RepeatCommand(const std::string& full_name) const {
  std::string command = std::filesystem::read_symlink("/proc/self/exe").string();
  if (const char* path = std::getenv("PARITY_LIBRARY_PATH")) {
    command = "PARITY_LIBRARY_PATH=" + ShellWord(path) + " " + command;
  }
  // Without what it writes, so that a repeat replaces nothing of the run that it repeats.
  for (std::size_t i = 0; i < options.repeat.size(); ++i) {
    const std::string& word = options.repeat[i];
    if (word == "--parity_output" || word == "--parity_record") {
      ++i;
    } else if (!word.starts_with("--parity_output=") && !word.starts_with("--parity_record=")) {
      command += " " + ShellWord(word);
    }
  }
  return command + " " + ShellWord("--gtest_filter=" + full_name);
}

void PrintTo(const CaseParameter& parameter, std::ostream* out) { PrintTo(parameter.which, out); }

}  // namespace parity
