#include "gtest_parity/replay/write_recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/images.h"
#include "gtest_parity/replay/page_packer.h"
#include "gtest_parity/replay/safetensors.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// A file being written, hashed as it goes.
class HashedFile {
 public:
  explicit HashedFile(std::string path)
      : path_(std::move(path)),
        file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (!file_.valid()) Fail("cannot create " + path_);
  }

  void Write(const void* data, std::uint64_t bytes) {
    hash_.Update(data, bytes);
    const auto* at = static_cast<const char*>(data);
    while (bytes != 0) {
      const ssize_t written = write(file_.get(), at, bytes);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) Fail("cannot write " + path_);
      at += written;
      bytes -= static_cast<std::uint64_t>(written);
    }
  }

  // On disk; returns its hash.
  std::string Finish() {
    if (fsync(file_.get()) != 0) Fail("cannot write " + path_);
    return hash_.Hex();
  }

 private:
  std::string path_;
  FileDescriptor file_;
  Sha256 hash_;
};

std::string MebibytesText(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

std::string WritePages(const std::string& path, const PagePacker& packer) {
  HashedFile file(path);
  const std::string head = SafetensorsHead({{"pages", "U8", {packer.bytes()}, 0, packer.bytes()}});
  file.Write(head.data(), head.size());
  packer.Write([&](const void* data, std::uint64_t bytes) { file.Write(data, bytes); });
  return file.Finish();
}

}  // namespace

NewFolder::NewFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  temporary_ = path_ + ".partial.XXXXXX";
  if (mkdtemp(temporary_.data()) == nullptr) Fail("cannot make a folder beside " + path_);
  // mkdtemp keeps it to its owner; a recording is a file like others.
  const mode_t mask = umask(0);
  umask(mask);
  chmod(temporary_.c_str(), 0777 & ~mask);
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove_all(temporary_, ignored);
}

void NewFolder::Rename(unsigned flags, const char* what) {
  const FileDescriptor folder(open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid() || fsync(folder.get()) != 0) Fail("cannot write " + temporary_);
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), flags) != 0) {
    Fail("cannot " + std::string(what) + " " + path_);
  }
}

void NewFolder::Become() {
  Rename(RENAME_NOREPLACE, "make");
  temporary_.clear();
}

// What was there has the temporary name then, and goes with it.
void NewFolder::Replace() { Rename(RENAME_EXCHANGE, "replace"); }

void ExpectNothingAt(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    throw std::runtime_error(path + " exists: a recording is never written over");
  }
}

std::string WrittenRecording::Text() const {
  return MebibytesText(data_bytes) + " of pages for " + MebibytesText(image_bytes) + " of images";
}

void WriteRecordingFile(const std::string& folder, const std::string& name, std::string_view text,
                        Sums* sums) {
  HashedFile file(folder + "/" + name);
  file.Write(text.data(), text.size());
  const std::string hash = file.Finish();
  if (sums != nullptr) (*sums)[name] = hash;
}

WrittenRecording WriteRecordingFiles(const std::string& folder, const RecordingIndex& index,
                                     const Recording& recording,
                                     const std::vector<PageStore>& pages) {
  WrittenRecording written;
  std::vector<PagePacker> packers(pages.begin(), pages.end());
  Recording packed = recording;
  ForEachImage(packed,
               [&](std::size_t rank, Image& image) { image = packers.at(rank).Pack(image); });
  for (std::size_t rank = 0; rank < packers.size(); ++rank) {
    const std::string name = PagesFile(rank);
    written.sums[name] = WritePages(folder + "/" + name, packers[rank]);
    written.data_bytes += packers[rank].bytes();
    written.image_bytes += packers[rank].image_bytes();
  }
  WriteRecordingFile(folder, kEvidenceFile,
                     ToJson(packed).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
                     &written.sums);
  WriteRecordingFile(folder, kIndexFile, RecordingIndexText(index), &written.sums);
  return written;
}

WrittenRecording WriteRecording(const std::string& path, const RecordingIndex& index,
                                const Recording& recording, const std::vector<PageStore>& pages) {
  ExpectNothingAt(path);
  NewFolder folder(path);
  const WrittenRecording written = WriteRecordingFiles(folder.path(), index, recording, pages);
  WriteRecordingFile(folder.path(), kSumsFile, SumsText(written.sums), nullptr);
  folder.Become();
  return written;
}

}  // namespace parity
