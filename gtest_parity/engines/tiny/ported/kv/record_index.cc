#include "gtest_parity/engines/tiny/ported/kv/record_index.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>

#include "gtest_parity/engines/tiny/ported/kv/record_reader.h"
#include "gtest_parity/engines/tiny/ported/kv/refusal.h"

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> KeyIn(const fs::path& path) {
  std::string name = path.filename().string();
  if (name.size() != 43 || !name.ends_with(".kv")) return std::nullopt;
  name.resize(40);
  for (char& digit : name) {
    const auto byte = static_cast<unsigned char>(digit);
    if (!std::isxdigit(byte)) return std::nullopt;
    digit = static_cast<char>(std::tolower(byte));
  }
  return name;
}

}  // namespace

std::vector<std::string> RecordIndex::Refresh() {
  std::erase_if(files_, [](const auto& file) {
    std::error_code error;
    return !fs::exists(file.first, error);
  });
  std::vector<std::string> refused;
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto key = KeyIn(entry->path());
    if (!key || files_.contains(entry->path())) continue;
    try {
      const auto reader = RecordReader::Open(entry->path());
      if (!reader) continue;
      Expect(reader->IsWhole(), "invalid_header");
      files_[entry->path()] = reader->header().Describe(*key, reader->file_bytes());
    } catch (const Refusal&) {
      files_[entry->path()] = NoRecord{};
      refused.push_back(*key);
    }
  }
  return refused;
}

std::vector<KvRecord> RecordIndex::Records() const {
  std::vector<KvRecord> records;
  for (const auto& [path, file] : files_) {
    if (const auto* record = std::get_if<KvRecord>(&file)) records.push_back(*record);
  }
  return records;
}

std::vector<fs::path> RecordIndex::Paths() const {
  std::vector<fs::path> paths;
  for (const auto& [path, file] : files_) {
    if (std::holds_alternative<KvRecord>(file)) paths.push_back(path);
  }
  return paths;
}

}  // namespace parity::tiny::ported
