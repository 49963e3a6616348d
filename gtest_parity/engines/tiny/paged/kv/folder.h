// What a store knows of its folder: the records that it has seen there.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_FOLDER_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_FOLDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/paged/kv/record_file.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {

// `paths[i]` is where `records[i]` lies; `refused` are files that are named like a record and are
// none, which are told of once.
struct KvcFolder {
  std::string path;
  std::vector<KvRecord> records;
  std::vector<std::string> paths;
  std::vector<std::string> refused;
};

KvRecord KvcRecordOf(const KvcHeader* header, const std::string& key, std::uint64_t file_bytes);
// Makes the folder, with all above it.
void KvcMakeFolder(const std::string& path);
// Takes in what has come and drops what has gone. What is known of a file stays as it was seen.
// Adds the keys of new files that are no records to `*bad`.
void KvcScan(KvcFolder* folder, std::vector<std::string>* bad);
// Index of the record at `path`, -1: none.
std::ptrdiff_t KvcFind(const KvcFolder* folder, const std::string& path);
// What is at `path` will be looked at anew.
void KvcForget(KvcFolder* folder, const std::string& path);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_FOLDER_H_
