// How two arrays of one dtype differ, element by element.
#ifndef GTEST_PARITY_KERNELS_ELEMENTS_H_
#define GTEST_PARITY_KERNELS_ELEMENTS_H_

#include <array>
#include <cstdint>

#include "kernels/dtype.h"

namespace parity {

// `a` is the reference, `b` the candidate. Default constructed: nothing was compared.
// kernels/pairs.h defines what one pair adds, for host and device.
struct ElementStats {
  static constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

  std::uint64_t compared = 0;
  std::uint64_t different = 0;    // elements whose bits differ; the rows below split it
  std::uint64_t signed_zero = 0;  // +0 against -0
  std::uint64_t nan_payload = 0;  // NaN on both sides, other bits
  std::uint64_t nan_only_reference = 0;
  std::uint64_t nan_only_candidate = 0;
  std::uint64_t infinity_only_reference = 0;  // against a finite number
  std::uint64_t infinity_only_candidate = 0;
  std::uint64_t infinity_opposite = 0;  // an infinity on both sides, of opposite signs

  // Over pairs of finite numbers. Rounded to f32 for types of up to 32 bits, f64 beyond; infinite
  // where the difference of two finite floats overflows that.
  double max_abs = 0;
  // |a - b| / max(|a|, kRelativeFloor) as an f32 quotient rounded up.
  float max_rel = 0;
  // Distance of ordered integer keys (floats), |a - b| (integers); +0 and -0 are 0 apart.
  // Infinities count. Bool counts as u8; opaque bytes have neither this nor anything else below but
  // the indices.
  std::uint64_t max_ulp = 0;
  std::uint64_t first_index = kNoIndex;  // lowest index whose bits differ
  // Of those that differ, the lowest index with the largest ulp; NaN on one side comes before all.
  std::uint64_t worst_index = kNoIndex;

  // ulp_histogram[0]: 0 ulp (equal bits included); [k]: ulp in [2^(k-1), 2^k). Pairs with a NaN on
  // either side are left out, also where their bits are equal.
  std::array<std::uint64_t, 65> ulp_histogram{};

  // Over pairs of finite numbers, f64, as kernels/sums.h orders or rounds them. d is rounded
  // as max_abs is for floats, and to f64 for integers.
  double sum_dd = 0, sum_aa = 0, sum_bb = 0, sum_ab = 0;

  bool operator==(const ElementStats&) const = default;
  bool Identical() const { return different == 0; }
  // Only the sign of zero or the payload of a NaN.
  bool ValueIdentical() const { return different == signed_zero + nan_payload; }
  // sqrt(sum_dd / sum_aa); 0 when sum_dd is 0, infinity when only sum_aa is or a sum overflowed.
  double Nrmse() const;
  // sum_ab / sqrt(sum_aa * sum_bb), in [-1, 1]; 1 when both are all zero, 0 when one is, NaN when a
  // sum overflowed.
  double Cosine() const;
  // Folds in what was found in elements [offset, offset + other.compared) of the same array. All is
  // as if compared at once, but for the sums: they are added, so their last bits depend on the
  // cuts.
  void Merge(const ElementStats& other, std::uint64_t offset);
};

// Compares `count` elements from element `first` on, which is index 0 of the result. Neither
// pointer need be aligned. Throws std::invalid_argument for a number that is not a DType.
ElementStats CompareElements(DType dtype, const void* reference, const void* candidate,
                             std::uint64_t count, std::uint64_t first = 0);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_ELEMENTS_H_
