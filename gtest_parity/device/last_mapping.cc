#include "gtest_parity/device/last_mapping.h"

#include <cerrno>
#include <thread>

namespace parity {

int AskWhileBusy(std::chrono::milliseconds patience, const std::function<int()>& ask) {
  constexpr std::chrono::milliseconds kPause{1};
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const int answer = ask();
    if (answer != EBUSY && answer != EAGAIN) return answer;
    if (std::chrono::steady_clock::now() >= end) return answer;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace parity
