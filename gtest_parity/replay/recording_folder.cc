#include "gtest_parity/replay/recording_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/refused.h"

namespace parity {
namespace {

constexpr std::uint64_t kMostReadBytes = std::uint64_t{1} << 30;

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Only what the format knows, so that no name can lead anywhere.
bool IsRecordingFile(std::string_view name) {
  if (name == kIndexFile || name == kEvidenceFile || name == kLogFile) return true;
  constexpr std::string_view before = "rank", after = ".safetensors";
  return name.size() > before.size() + after.size() && name.size() < 32 &&
         name.starts_with(before) && name.ends_with(after) &&
         IsDigits(name.substr(before.size(), name.size() - before.size() - after.size()));
}

std::set<std::string> NamesIn(int folder, const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(dup(folder)), closedir);
  if (!list) throw RecordingRefused(path + ": cannot be listed: " + std::strerror(errno));
  std::set<std::string> names;
  while (const dirent* entry = readdir(list.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.insert(name);
  }
  return names;
}

std::uint64_t ReadSome(int fd, std::span<std::uint8_t> into) {
  std::uint64_t done = 0;
  while (done < into.size()) {
    const ssize_t got = read(fd, into.data() + done, into.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::uint64_t>(got);
  }
  return done;
}

}  // namespace

std::string PagesFile(std::size_t rank) { return "rank" + std::to_string(rank) + ".safetensors"; }

std::string SumsText(const Sums& sums) {
  std::string text;
  for (const auto& [name, hash] : sums) text += hash + "  " + name + "\n";
  return text;
}

Sums ParseSums(std::string_view text) {
  Sums sums;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string_view hash = line.substr(0, std::min<std::size_t>(64, line.size()));
    const bool form = line.size() > 66 && line.substr(64, 2) == "  " &&
                      hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    const std::string name(form ? line.substr(66) : line);
    if (!form || !IsRecordingFile(name)) {
      throw RecordingRefused(std::string(kSumsFile) + ": a line", "'" + name.substr(0, 80) + "'",
                             "a hash and the name of a recording's file");
    }
    sums[name] = hash;
  }
  if (SumsText(sums) != text) {
    throw RecordingRefused(std::string(kSumsFile) + ": it is not in the form that it is written");
  }
  return sums;
}

std::string ContentHash(const Sums& sums) {
  Sums content = sums;
  content.erase(kLogFile);
  return Sha256Of(SumsText(content));
}

RecordingFolder::RecordingFolder(const std::string& path)
    : path_(path), folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.valid()) {
    throw RecordingRefused(path + ": no recording: " + std::strerror(errno));
  }
  std::set<std::string> names = NamesIn(folder_.get(), path);
  if (names.erase(kSumsFile) == 0) {
    throw RecordingRefused(path + ": no recording: it holds no " + kSumsFile);
  }
  std::uint64_t bytes = 0;
  const FileDescriptor file = Open(kSumsFile, &bytes);
  std::string text(std::min<std::uint64_t>(bytes, 1 << 20), '\0');
  text.resize(ReadSome(file.get(), {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}));
  sums_ = ParseSums(text);
  for (const auto& [name, unused] : sums_) {
    if (names.erase(name) == 0) throw RecordingRefused(path + "/" + name + ": is missing");
    Open(name, &bytes);
  }
  if (!names.empty()) {
    throw RecordingRefused(path + "/" + *names.begin() + ": is not of the recording (" + kSumsFile +
                           " does not list it)");
  }
}

std::uint64_t RecordingFolder::Size(const std::string& name) const {
  std::uint64_t bytes = 0;
  Open(name, &bytes);
  return bytes;
}

FileDescriptor RecordingFolder::Open(const std::string& name, std::uint64_t* bytes) const {
  FileDescriptor file(
      openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const std::string at = path_ + "/" + name;
  if (!file.valid()) {
    throw RecordingRefused(errno == ELOOP ? at + ": is a symbolic link, expected a plain file"
                                          : at + ": cannot be read: " + std::strerror(errno));
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw RecordingRefused(at + ": is not a plain file");
  }
  *bytes = static_cast<std::uint64_t>(status.st_size);
  return file;
}

void RecordingFolder::Stream(
    const std::string& name, const std::function<void(std::uint64_t bytes)>& begin,
    const std::function<std::span<std::uint8_t>(std::uint64_t at)>& next) const {
  const auto expected = sums_.find(name);
  if (expected == sums_.end()) throw RecordingRefused(path_ + "/" + name + ": is missing");
  std::uint64_t bytes = 0;
  const FileDescriptor file = Open(name, &bytes);
  begin(bytes);
  Sha256 hash;
  for (std::uint64_t at = 0; at < bytes;) {
    std::span<std::uint8_t> piece = next(at);
    piece = piece.first(std::min<std::uint64_t>(piece.size(), bytes - at));
    const std::uint64_t got = ReadSome(file.get(), piece);
    hash.Update(piece.data(), got);
    at += got;
    if (got != piece.size()) break;  // the file got shorter, which its hash will tell
  }
  const std::string is = hash.Hex();
  if (is == expected->second) return;
  throw RecordingRefused(path_ + "/" + name + ": sha256 (damaged?)", is, expected->second);
}

std::string RecordingFolder::Read(const std::string& name) const {
  std::string text;
  Stream(
      name,
      [&](std::uint64_t bytes) {
        if (bytes > kMostReadBytes) {
          throw RecordingRefused(path_ + "/" + name, std::to_string(bytes) + " bytes",
                                 "at most " + std::to_string(kMostReadBytes));
        }
        text.resize(bytes);
      },
      [&](std::uint64_t at) {
        return std::span(reinterpret_cast<std::uint8_t*>(text.data()) + at, text.size() - at);
      });
  return text;
}

}  // namespace parity
