// How much memory a side may use, and how it is held to it.
#ifndef GTEST_PARITY_SIDE_MEMORY_LIMIT_H_
#define GTEST_PARITY_SIDE_MEMORY_LIMIT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity {

// Sanitizers map their shadow as private memory and reserve far more than they use: a process that
// is built with one cannot be limited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsLimited = false;
#elif defined(__has_feature)
inline constexpr bool kMemoryIsLimited =
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool kMemoryIsLimited = true;
#endif

// Three quarters of what the machine, and the control group, can give without swapping: what a side
// may use when its manifest says nothing. 0: not known.
std::uint64_t DefaultMemoryLimit();

// Holds this process to `bytes` of private writable memory, reserved or used (RLIMIT_DATA: address
// space that is only reserved, as CUDA does by the hundred gigabytes, is free). 0: no limit. A
// process that runs out of the machine's memory all the same goes before the judge does. Without
// kMemoryIsLimited only the judge's watch holds.
void LimitOwnMemory(std::uint64_t bytes);

// Bytes that shared memory takes up by now.
std::uint64_t AllocatedBytes(const std::vector<int>& fds);

// "1.5 GiB"
std::string BytesText(std::uint64_t bytes);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_MEMORY_LIMIT_H_
