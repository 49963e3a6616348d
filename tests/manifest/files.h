// A folder of its own for a test's files.
#ifndef GTEST_PARITY_TESTS_MANIFEST_FILES_H_
#define GTEST_PARITY_TESTS_MANIFEST_FILES_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "parity_manifest_XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    std::ofstream(Path(name)) << text;
    return Path(name);
  }

 private:
  std::string path_;
};

// The message of what must be InvalidInput; empty, and a failure, if nothing is thrown.
inline std::string ErrorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_MANIFEST_FILES_H_
