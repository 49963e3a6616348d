// One line about one thing that is not as it should be, complete enough to act on.
#ifndef GTEST_PARITY_JUDGE_FINDING_H_
#define GTEST_PARITY_JUDGE_FINDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity {

// Empty parts are left out of the text.
struct Finding {
  std::string where;       // span, run, rank, coordinates: see Where()
  std::string what;        // "different in 12 of 1024 elements"
  std::string got;         // both values and the distances
  std::string allowed;     // "every bit", "nrmse 0.02 and |d| 0.5"
  std::string source;      // where the allowance comes from
  std::string would_pass;  // the smallest tolerance that would have passed
  // "where: what, got ..., allowed ... (source), would_pass"
  std::string Text() const;
};

// "decode_layer0, b1/decode#3, rank 1, attn[3, 17]"; empty parts and a negative rank are left out.
std::string Where(const std::string& span, const std::string& run, int rank,
                  const std::string& place);

// Row-major coordinates of a flat index: "[3, 17]"; "[#20]" if it lies outside `shape`.
std::string Coordinates(const std::vector<std::uint64_t>& shape, std::uint64_t index);

// "1 flip", "2 flips".
std::string Counted(std::uint64_t count, const std::string& noun);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_FINDING_H_
