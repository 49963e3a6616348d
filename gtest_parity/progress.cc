#include "gtest_parity/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>

namespace parity {

Progress TerminalProgress() {
  using Clock = std::chrono::steady_clock;
  if (isatty(STDERR_FILENO) == 0) {
    return [](const char*, const std::string&, std::size_t, std::size_t) {};
  }
  auto drawn = std::make_shared<Clock::time_point>();
  return [drawn](const char* stage, const std::string& what, std::size_t done, std::size_t all) {
    const Clock::time_point now = Clock::now();
    if (now - *drawn < std::chrono::milliseconds(100)) return;
    *drawn = now;
    std::fprintf(stderr, "\r\033[K%s %zu of %zu: %s\r", stage, done + 1, all, what.c_str());
    std::fflush(stderr);
  };
}

}  // namespace parity
