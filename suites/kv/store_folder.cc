#include "suites/kv/store_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "gtest_parity/device/file_descriptor.h"
#include "gtest_parity/manifest/sha256.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void ThrowUnread(const std::string& path) {
  throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
}

// Block by block at multiples of the block's size, so that it does not matter where a file system
// has holes and where zeroes.
std::string DigestOf(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) ThrowUnread(path);
  Sha256 digest;
  std::vector<char> block(std::size_t{1} << 16);
  const auto size = static_cast<off_t>(block.size());
  off_t at = 0;
  while (true) {
    const off_t data = lseek(file.get(), at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return digest.Hex();
    if (data < 0) ThrowUnread(path);
    at = data / size * size;
    const ssize_t got = pread(file.get(), block.data(), block.size(), at);
    if (got < 0) ThrowUnread(path);
    if (std::any_of(block.begin(), block.begin() + got, [](char byte) { return byte != 0; })) {
      digest.Update(reinterpret_cast<const char*>(&at), sizeof(at));
      digest.Update(block.data(), static_cast<std::size_t>(got));
    }
    at += size;
  }
}

}  // namespace

FolderState StateOf(const std::string& folder) {
  FolderState state;
  if (!fs::exists(folder)) return state;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    StoredFile& file = state[entry.path().filename().string()];
    if (!entry.is_regular_file()) continue;
    file.bytes = entry.file_size();
    file.digest = DigestOf(entry.path().string());
  }
  return state;
}

std::string CopyInto(const std::string& file, const std::string& to) {
  const fs::path path = fs::path(to) / fs::path(file).filename();
  std::error_code error;
  fs::copy_file(file, path, error);
  if (error) {
    throw std::runtime_error("cannot copy " + file + " into " + to + ": " + error.message());
  }
  return path.string();
}

TemporaryFolder::TemporaryFolder(const std::string& hint) {
  std::string name = (fs::temp_directory_path() / (hint + ".XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a folder like " + name + ": " + std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace parity::kv
