// What is left of a process that has ended.
#ifndef GTEST_PARITY_DEVICE_LAST_MAPPING_H_
#define GTEST_PARITY_DEVICE_LAST_MAPPING_H_

#include <chrono>
#include <functional>

namespace parity {

// A process that was reaped may still have its mappings: whoever reads its /proc/PID/cmdline, maps
// or smaps as it ends (ps, pgrep -f, a monitor) holds its memory until the read is done. That takes
// milliseconds; a reader on a loaded machine waits for a processor meanwhile.
inline constexpr std::chrono::milliseconds kLastMappingPatience{2000};

// Asks until the answer, an errno, is something other than EBUSY and EAGAIN, for at most
// `patience`, at least once. The last answer.
int AskWhileBusy(std::chrono::milliseconds patience, const std::function<int()>& ask);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_LAST_MAPPING_H_
