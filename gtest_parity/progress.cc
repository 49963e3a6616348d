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
  struct Drawn {
    Clock::time_point at{}, stage_began{};
    std::string stage;
  };
  auto drawn = std::make_shared<Drawn>();
  return [drawn](const char* stage, const std::string& what, std::size_t done, std::size_t all) {
    const Clock::time_point now = Clock::now();
    if (drawn->stage != stage) *drawn = {{}, now, stage};
    if (now - drawn->at < std::chrono::milliseconds(100)) return;
    drawn->at = now;
    const double elapsed = std::chrono::duration<double>(now - drawn->stage_began).count();
    const double left =
        done == 0 ? 0 : elapsed / static_cast<double>(done) * static_cast<double>(all - done);
    std::fprintf(stderr, "\r\033[K%s %zu of %zu, %.0f s left: %s\r", stage, done + 1, all, left,
                 what.c_str());
    std::fflush(stderr);
  };
}

}  // namespace parity
