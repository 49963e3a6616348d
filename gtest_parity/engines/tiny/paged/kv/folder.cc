#include "gtest_parity/engines/tiny/paged/kv/folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace parity::tiny::paged {
namespace {

// 40 hexadecimal digits in either case and ".kv": the key in lower case, else "".
std::string KeyOfName(const char* name) {
  if (std::strlen(name) != 43 || std::strcmp(name + 40, ".kv") != 0) return "";
  std::string key;
  for (int i = 0; i < 40; ++i) {
    const char digit = name[i];
    const bool upper = digit >= 'A' && digit <= 'F';
    if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f') && !upper) return "";
    key += upper ? static_cast<char>(digit - 'A' + 'a') : digit;
  }
  return key;
}

void DropVanished(KvcFolder* folder) {
  for (std::size_t i = folder->paths.size(); i-- > 0;) {
    const std::string path = folder->paths[i];
    if (access(path.c_str(), F_OK) != 0) KvcForget(folder, path);
  }
}

void TakeIn(KvcFolder* folder, const std::string& path, const std::string& key,
            std::vector<std::string>* bad) {
  if (KvcFind(folder, path) >= 0) return;
  if (std::find(folder->refused.begin(), folder->refused.end(), path) != folder->refused.end()) {
    return;
  }
  KvcOpened opened;
  KvcError error;
  if (!KvcOpen(path.c_str(), "rb", &opened, &error)) return;
  std::fclose(opened.file);
  if (error != kKvcOk || !KvcIsWhole(&opened)) {
    folder->refused.push_back(path);
    bad->push_back(key);
    return;
  }
  folder->paths.push_back(path);
  folder->records.push_back(KvcRecordOf(&opened.header, key, opened.file_bytes));
}

}  // namespace

KvRecord KvcRecordOf(const KvcHeader* header, const std::string& key, std::uint64_t file_bytes) {
  KvRecord record;
  record.key = key;
  record.text_bytes = header->text_bytes;
  record.file_bytes = file_bytes;
  record.created = header->created;
  record.last_used = header->last_used;
  record.tokens = header->tokens;
  record.hits = header->hits;
  record.context = header->context;
  record.reason = header->reason;
  record.ext = header->ext;
  record.model = header->model;
  record.quant = header->quant;
  return record;
}

void KvcMakeFolder(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    mkdir(path.substr(0, at).c_str(), 0700);
  }
}

void KvcScan(KvcFolder* folder, std::vector<std::string>* bad) {
  DropVanished(folder);
  DIR* directory = opendir(folder->path.c_str());
  if (directory == nullptr) return;
  for (const dirent* entry = readdir(directory); entry != nullptr; entry = readdir(directory)) {
    const std::string key = KeyOfName(entry->d_name);
    if (!key.empty()) TakeIn(folder, folder->path + "/" + entry->d_name, key, bad);
  }
  closedir(directory);
}

std::ptrdiff_t KvcFind(const KvcFolder* folder, const std::string& path) {
  const auto found = std::find(folder->paths.begin(), folder->paths.end(), path);
  return found == folder->paths.end() ? -1 : found - folder->paths.begin();
}

void KvcForget(KvcFolder* folder, const std::string& path) {
  const std::ptrdiff_t at = KvcFind(folder, path);
  if (at >= 0) {
    folder->paths.erase(folder->paths.begin() + at);
    folder->records.erase(folder->records.begin() + at);
  }
  const auto refused = std::remove(folder->refused.begin(), folder->refused.end(), path);
  folder->refused.erase(refused, folder->refused.end());
}

}  // namespace parity::tiny::paged
