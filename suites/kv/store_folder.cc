#include "suites/kv/store_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "gtest_parity/manifest/sha256.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;

}  // namespace

FolderState StateOf(const std::string& folder) {
  FolderState state;
  if (!fs::exists(folder)) return state;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    StoredFile& file = state[entry.path().filename().string()];
    if (!entry.is_regular_file()) continue;
    file.bytes = entry.file_size();
    file.sha256 = HashFile(entry.path().string());
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
