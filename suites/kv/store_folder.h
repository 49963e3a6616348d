// A KV store's folder as files: what is in it, what changed, and copies of one record.
#ifndef GTEST_PARITY_SUITES_KV_STORE_FOLDER_H_
#define GTEST_PARITY_SUITES_KV_STORE_FOLDER_H_

#include <cstdint>
#include <map>
#include <string>

namespace parity::kv {

struct StoredFile {
  std::uint64_t bytes = 0;
  std::string digest;  // of where which bytes are that are not zero: holes cost nothing
};

// By name; what is no regular file has no digest.
using FolderState = std::map<std::string, StoredFile>;

// Empty for a folder that is not there. Throws std::runtime_error for one that cannot be read.
FolderState StateOf(const std::string& folder);

// Copies `file` into the folder `to` under the same name and returns its path there. Throws
// std::runtime_error.
std::string CopyInto(const std::string& file, const std::string& to);

// A folder that is gone with the object. Throws std::runtime_error where it cannot be made.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& hint);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_STORE_FOLDER_H_
