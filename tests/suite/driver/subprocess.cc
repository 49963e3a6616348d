#include "tests/suite/driver/subprocess.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace parity::testing {
namespace {

constexpr int kNotExecuted = 127;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> WithOwnEnvironment(const Environment& added) {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string entry = *at;
    if (!added.contains(entry.substr(0, entry.find('=')))) all.push_back(entry);
  }
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  return all;
}

void Redirect(const char* path, int flags, int to) {
  const int fd = open(path, flags, 0600);
  if (fd < 0 || dup2(fd, to) < 0) _exit(kNotExecuted);
  close(fd);
}

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& arguments, const Environment& environment)
    : folder_(::testing::TempDir() + "parity_process_XXXXXX") {
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot make " + folder_);
  const std::string out = folder_ + "/out", err = folder_ + "/err";
  std::vector<std::string> words = arguments, settings = WithOwnEnvironment(environment);
  const std::vector<char*> argv = Pointers(words), envp = Pointers(settings);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  Redirect(out.c_str(), O_WRONLY | O_CREAT, STDOUT_FILENO);
  Redirect(err.c_str(), O_WRONLY | O_CREAT, STDERR_FILENO);
  execvpe(argv[0], argv.data(), envp.data());
  _exit(kNotExecuted);
}

Subprocess::~Subprocess() {
  Kill();
  if (pid_ > 0) Reap(true);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<pid_t> Subprocess::Children() const {
  const std::string pid = std::to_string(pid_);
  std::istringstream list(ReadAll("/proc/" + pid + "/task/" + pid + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

void Subprocess::Kill() {
  if (pid_ > 0) kill(pid_, SIGKILL);
}

void Subprocess::Reap(bool block) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid_, &status, block ? 0 : WNOHANG);
  } while (ended < 0 && errno == EINTR);
  if (ended != pid_) return;
  pid_ = -1;
  exit_code_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool Subprocess::Running() {
  if (pid_ > 0) Reap(false);
  return pid_ > 0;
}

Finished Subprocess::Wait() {
  if (pid_ > 0) Reap(true);
  return {exit_code_, ReadAll(folder_ + "/out"), ReadAll(folder_ + "/err")};
}

bool Runs(pid_t pid) {
  const std::string stat = ReadAll("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
}

Finished RunProgram(const std::vector<std::string>& arguments, const Environment& environment) {
  return Subprocess(arguments, environment).Wait();
}

}  // namespace parity::testing
