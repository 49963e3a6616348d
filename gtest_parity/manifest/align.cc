#include "gtest_parity/manifest/align.h"

#include <algorithm>
#include <unordered_map>

namespace parity {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Row i holds, for the first i of `a`, a zero bit at j where b[j] lengthens the common subsequence.
class LcsRows {
 public:
  LcsRows(const std::uint32_t* a, std::size_t a_size, const std::uint32_t* b, std::size_t b_size)
      : words_((b_size + 63) / 64), rows_(a_size * words_) {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places;
    for (std::size_t j = 0; j < b_size; ++j) {
      places[b[j]].push_back(static_cast<std::uint32_t>(j));
    }
    std::vector<std::uint64_t> matches(words_, 0);
    const std::vector<std::uint64_t> ones(words_, ~std::uint64_t{0});
    for (std::size_t i = 0; i < a_size; ++i) {
      const auto found = places.find(a[i]);
      if (found != places.end()) {
        for (const std::uint32_t j : found->second) matches[j / 64] |= Bit(j);
      }
      Step(i == 0 ? ones.data() : Row(i - 1), matches.data(), Row(i));
      if (found != places.end()) {
        for (const std::uint32_t j : found->second) matches[j / 64] = 0;
      }
    }
  }

  bool Lengthens(std::size_t i, std::size_t j) const {
    return (rows_[i * words_ + j / 64] & Bit(j)) == 0;
  }

 private:
  static std::uint64_t Bit(std::size_t j) { return std::uint64_t{1} << (j % 64); }
  std::uint64_t* Row(std::size_t i) { return rows_.data() + i * words_; }

  void Step(const std::uint64_t* above, const std::uint64_t* matches, std::uint64_t* row) const {
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t both = above[w] & matches[w];
      std::uint64_t sum = above[w] + both;
      const std::uint64_t overflow = sum < both;
      sum += carry;
      carry = overflow | static_cast<std::uint64_t>(sum < carry);
      row[w] = sum | (above[w] - both);
    }
  }

  std::size_t words_;
  std::vector<std::uint64_t> rows_;
};

Pairs AlignMiddle(const std::uint32_t* a, std::size_t a_size, const std::uint32_t* b,
                  std::size_t b_size) {
  Pairs pairs;
  if (a_size == 0 || b_size == 0) return pairs;
  const LcsRows rows(a, a_size, b, b_size);
  std::size_t i = a_size, j = b_size;
  while (i > 0 && j > 0) {
    if (!rows.Lengthens(i - 1, j - 1)) {
      --j;
      continue;
    }
    --i;
    if (i == 0 || !rows.Lengthens(i - 1, j - 1)) {
      --j;
      pairs.emplace_back(i, j);
    }
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

Pairs Align(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  Pairs pairs;
  for (std::size_t i = 0; i < head; ++i) pairs.emplace_back(i, i);
  for (const auto& [i, j] : AlignMiddle(a.data() + head, a.size() - head - tail, b.data() + head,
                                        b.size() - head - tail)) {
    pairs.emplace_back(i + head, j + head);
  }
  for (std::size_t i = tail; i > 0; --i) pairs.emplace_back(a.size() - i, b.size() - i);
  return pairs;
}

}  // namespace parity
