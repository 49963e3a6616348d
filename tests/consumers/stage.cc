#include "tests/consumers/stage.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

namespace fs = std::filesystem;

Stage::Stage(const std::string& component) : prefix_(folder_.Path("moved")) {
  const std::string installed = folder_.Path("installed");
  std::vector<std::string> command = {PARITY_CMAKE, "--install", PARITY_BINARY_DIR, "--prefix",
                                      installed};
  if (!component.empty()) command.insert(command.end(), {"--component", component});
  const Finished run = RunProgram(command);
  if (run.exit_code != 0) throw std::runtime_error("cmake --install: " + run.Text());
  fs::rename(installed, prefix_);
}

std::vector<std::string> Stage::Files() const {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(prefix_)) {
    if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), prefix_));
  }
  std::sort(files.begin(), files.end());
  return files;
}

const Stage& Stage::Whole() {
  static const Stage stage;
  return stage;
}

Consumer::Consumer(const std::vector<std::string>& sources) {
  fs::create_directories(folder_.Path("source"));
  for (const std::string& source : sources) {
    fs::copy(InSource(source), folder_.Path("source"), fs::copy_options::recursive);
  }
}

Finished Consumer::Configure(std::vector<std::string> settings) const {
  settings.insert(settings.begin(),
                  {PARITY_CMAKE, "-S", folder_.Path("source"), "-B", folder_.Path("build"), "-G",
                   PARITY_GENERATOR, "-DCMAKE_C_COMPILER=" PARITY_CC,
                   "-DCMAKE_CXX_COMPILER=" PARITY_CXX, "-DCMAKE_BUILD_TYPE=Debug"});
  return RunProgram(settings);
}

Finished Consumer::BuildTarget(const std::string& target) const {
  return RunProgram({PARITY_CMAKE, "--build", folder_.Path("build"), "--target", target});
}

Finished Consumer::CTest(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {PARITY_CTEST, "--test-dir", folder_.Path("build")});
  return RunProgram(arguments, SuiteEnvironment({}));
}

}  // namespace parity::testing
