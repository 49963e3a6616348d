// The package as `cmake --install` lays it, in a folder that it was not installed to.
#ifndef GTEST_PARITY_TESTS_CONSUMERS_STAGE_H_
#define GTEST_PARITY_TESTS_CONSUMERS_STAGE_H_

#include <string>
#include <vector>

#include "tests/suite/driver/scratch_folder.h"
#include "tests/suite/driver/subprocess.h"

namespace parity::testing {

// Installs this build, one component or all, to a folder and moves that folder: whatever holds an
// absolute path does not survive. Throws std::runtime_error with what CMake said.
class Stage {
 public:
  explicit Stage(const std::string& component = "");

  const std::string& prefix() const { return prefix_; }
  std::string Path(const std::string& name) const { return prefix_ + "/" + name; }
  // Files below the prefix, relative to it and sorted.
  std::vector<std::string> Files() const;

  // Everything, installed once for all tests of this process.
  static const Stage& Whole();

 private:
  ScratchFolder folder_;
  std::string prefix_;
};

// A consumer project in a folder of its own.
class Consumer {
 public:
  // Copies files and folders of this repository side by side; what a folder holds, not the folder.
  explicit Consumer(const std::vector<std::string>& sources);

  const ScratchFolder& folder() const { return folder_; }
  std::string Source(const std::string& name) const { return folder_.Path("source/" + name); }
  std::string Build(const std::string& name) const { return folder_.Path("build/" + name); }

  // With this build's own compilers, generator and build type.
  Finished Configure(std::vector<std::string> settings) const;
  Finished BuildTarget(const std::string& target = "all") const;
  Finished CTest(std::vector<std::string> arguments) const;

 private:
  ScratchFolder folder_;
};

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_CONSUMERS_STAGE_H_
