// The text that a workload is made of, as token ids.
#ifndef GTEST_PARITY_REPLAY_PROMPTS_H_
#define GTEST_PARITY_REPLAY_PROMPTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity {

using Tokens = std::vector<std::int32_t>;

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Below(std::uint64_t bound) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % bound;
  }

 private:
  std::uint64_t state_;
};

// JSON lines, each an object with `tokens`; empty ones are left out. Throws std::runtime_error
// naming file and line for anything else, ids outside [0, vocabulary) and a file without prompts.
std::vector<Tokens> ReadPrompts(const std::string& path, std::int32_t vocabulary);

// `length` tokens of text: passages from a drawn one on, long ones first choice; drawn ids where
// there are no prompts.
Tokens DrawText(const std::vector<Tokens>& prompts, std::int32_t vocabulary, std::uint64_t length,
                Random& random);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_PROMPTS_H_
