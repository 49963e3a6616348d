#include "gtest_parity/engines/tiny/ported/kv/temporary.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <system_error>

namespace parity::tiny::ported {

namespace fs = std::filesystem;

Temporary::Temporary(const fs::path& target) {
  static std::atomic<unsigned> sequence{0};
  path_ = target.string() + ".tmp." + std::to_string(getpid()) + "." + std::to_string(++sequence);
  const int made = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  made_ = made >= 0;
  if (made_) close(made);
}

Temporary::~Temporary() {
  std::error_code ignored;
  if (made_) fs::remove(path_, ignored);
}

bool Temporary::Become(const fs::path& target) {
  std::error_code error;
  fs::rename(path_, target, error);
  made_ = static_cast<bool>(error);
  return !error;
}

}  // namespace parity::tiny::ported
