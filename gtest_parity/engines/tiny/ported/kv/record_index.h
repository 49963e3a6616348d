// The records of a folder, as they were when they were first seen.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_INDEX_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_INDEX_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::ported {

class RecordIndex {
 public:
  explicit RecordIndex(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path PathOf(const std::string& key) const { return folder_ / (key + ".kv"); }
  // Takes in new files and drops those that are gone. Returns the keys of new ones that are no
  // records: each file is told of once.
  std::vector<std::string> Refresh();
  void Put(const std::filesystem::path& path, const KvRecord& record) { files_[path] = record; }
  void Forget(const std::filesystem::path& path) { files_.erase(path); }
  // Beside one another, in one order.
  std::vector<KvRecord> Records() const;
  std::vector<std::filesystem::path> Paths() const;

 private:
  struct NoRecord {};
  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::variant<KvRecord, NoRecord>> files_;
};

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_INDEX_H_
