// A folder that lives as long as a test.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_SCRATCH_FOLDER_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_SCRATCH_FOLDER_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace parity::testing {

class ScratchFolder {
 public:
  ScratchFolder() : path_(::testing::TempDir() + "parity_suite_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file, with the folders above it; returns its path.
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = Path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::string path_;
};

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_SCRATCH_FOLDER_H_
