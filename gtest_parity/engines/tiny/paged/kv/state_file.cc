#include "gtest_parity/engines/tiny/paged/kv/state_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "gtest_parity/engines/tiny/paged/kv/payload.h"

namespace parity::tiny::paged {

std::string SaveState(const std::string& path, const KvShape& shape, const KvSnapshot& snapshot) {
  const std::string temporary = path + ".tmp." + std::to_string(getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return KvcErrorName(kKvcWriteFailed);
  bool good = KvcWritePayload(file, &shape, &snapshot);
  good = std::fclose(file) == 0 && good;
  good = good && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (good) return "";
  unlink(temporary.c_str());
  return KvcErrorName(kKvcWriteFailed);
}

std::string LoadState(const std::string& path, const KvShape& shape, KvSnapshot& out) {
  struct stat status;
  // A pipe would be waited for.
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return KvcErrorName(kKvcNoRecord);
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return KvcErrorName(kKvcNoRecord);
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  const KvcError error = KvcReadPayload(file, bytes, &shape, false, &out);
  std::fclose(file);
  if (error == kKvcOk) return "";
  out = {};
  return KvcErrorName(error);
}

}  // namespace parity::tiny::paged
