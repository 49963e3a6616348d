// How a batch of row comparisons is cut and what its kernels hand to one another: a warp takes a
// segment of a row, another one puts a row's segments together.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_WORK_H_
#define GTEST_PARITY_KERNELS_CUDA_ROW_WORK_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/formats.h"
#include "kernels/host_device.h"
#include "kernels/row_order.h"
#include "kernels/rows.h"

namespace parity {

struct RowWork {
  const unsigned char* a = nullptr;
  const unsigned char* b = nullptr;
  std::uint64_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t segments = 1;         // of a row
  std::uint32_t segment_columns = 0;  // but the last
  std::uint32_t first_unit = 0;       // one for each segment of each row
  std::uint32_t first_row = 0;        // of its results
};

// Logits are handled in this type.
template <typename Format>
using Real = std::conditional_t<Format::kBits == 64, double, float>;

// Elements of a lane's part of a chunk, about 16 of each side.
template <typename Format>
inline constexpr std::uint32_t kRowLoads = Format::kBits >= 32   ? 4
                                           : Format::kBits == 16 ? 2
                                                                 : 1;
template <typename Format>
inline constexpr std::uint32_t kRowLaneElements = kRowLoads<Format> * 128 / Format::kBits;
template <typename Format>
inline constexpr std::uint32_t kRowChunk = 32 * kRowLaneElements<Format>;

// A place (kernels/row_order.h) as one number, larger where it comes before; 0 is none.
template <typename Format>
struct PlaceCode {
  static constexpr bool kWide = Format::kBits == 64;
  __extension__ typedef unsigned __int128 Wide;
  using Code = std::conditional_t<kWide, Wide, std::uint64_t>;

  PARITY_HOST_DEVICE static Code Of(typename Format::Bits bits, std::uint32_t column) {
    if constexpr (kWide) {
      const auto key = static_cast<std::uint64_t>(OrderKey<Format>(bits));
      return static_cast<Code>(key ^ (std::uint64_t{1} << 63)) << 32 | ~column;
    } else {
      return std::uint64_t{Order(bits)} << 32 | ~column;
    }
  }
  // The order alone. Keys fit into 32 bits but for the NaN's, which comes last.
  PARITY_HOST_DEVICE static std::uint32_t Order(typename Format::Bits bits) {
    if (Format::IsNan(bits)) return 0;
    return static_cast<std::uint32_t>(Format::Key(bits)) ^ std::uint32_t{0x80000000};
  }
  PARITY_HOST_DEVICE static std::uint32_t ColumnOf(Code code) {
    return ~static_cast<std::uint32_t>(code);
  }
  // The logit; +0 where it was -0.
  PARITY_HOST_DEVICE static auto ValueOf(Code code) {
    using Signed = std::conditional_t<kWide, std::int64_t, std::int32_t>;
    using Order = std::make_unsigned_t<Signed>;
    using Bits = typename Format::Bits;
    const auto order = static_cast<Order>(code >> 32);
    const auto key = static_cast<Signed>(order ^ Order{1} << (8 * sizeof(Order) - 1));
    if constexpr (std::is_same_v<Format, ScaleFormat>) {
      return Format::Decode(order == 0 ? Bits{0xff} : static_cast<Bits>(key));
    } else {
      if (order == 0) return Format::Decode(static_cast<Bits>(Format::kSign - 1));
      return Format::Decode(key >= 0 ? static_cast<Bits>(key)
                                     : static_cast<Bits>(Format::kSign | static_cast<Bits>(-key)));
    }
  }
};

// Divergence's sums over columns (kernels/divergence.h), in both directions at once, with weights
// relative to `peak_a` and `peak_b`, which need be near the largest logits only. With
// w = e^(x - peak_a) and d = (y - peak_b) - (x - peak_a), over the columns where neither is -inf:
//   shared = sum w, other = sum w e^d, drift = sum w d, excess = sum w (e^d - 1 - d),
//   curve = sum w d (e^d - 1);
// extra_a and extra_b are the weights of the other columns. Then
//   KL(a||b) = log1p((drift + excess + extra_b) / shared) - drift / shared,
//   KL(b||a) = log1p((extra_a - drift - excess) / other) + (drift + curve) / other.
// Where both sides have one peak, as close rows do, nothing cancels.
struct RowSums {
  double peak_a = 0, peak_b = 0;
  double shared = 0, other = 0, drift = 0, excess = 0, curve = 0, extra_a = 0, extra_b = 0;

  // Moves the peaks and keeps what the sums say.
  PARITY_HOST_DEVICE void MoveTo(double new_a, double new_b) {
    const double up_a = new_a - peak_a, up_b = new_b - peak_b, turn = up_a - up_b;
    peak_a = new_a;
    peak_b = new_b;
    const double scale_a = std::exp(-up_a), scale_b = std::exp(-up_b);
    extra_a *= scale_a;
    extra_b *= scale_b;
    if (turn == 0) {
      shared *= scale_a;
      other *= scale_a;
      drift *= scale_a;
      excess *= scale_a;
      curve *= scale_a;
      return;
    }
    const double weighted = drift + curve;
    shared *= scale_a;
    drift = drift * scale_a + turn * shared;
    other *= scale_b;
    excess = other - shared - drift;
    curve = weighted * scale_b + turn * other - drift;
  }

  // Whether logits moved so far, or out of bounds, that what they weigh is lost beside it.
  PARITY_HOST_DEVICE bool Lost() const {
    const double least = shared < other ? shared : other;
    return !(std::fabs(drift) + std::fabs(curve) <= 0x1p20 * least);
  }

  // Each sum becomes what `change` makes of it.
  template <typename Change>
  PARITY_HOST_DEVICE void ForEach(Change change) {
    shared = change(shared);
    other = change(other);
    drift = change(drift);
    excess = change(excess);
    curve = change(curve);
    extra_a = change(extra_a);
    extra_b = change(extra_b);
  }

  PARITY_HOST_DEVICE void Add(const RowSums& other_sums) {
    shared += other_sums.shared;
    other += other_sums.other;
    drift += other_sums.drift;
    excess += other_sums.excess;
    curve += other_sums.curve;
    extra_a += other_sums.extra_a;
    extra_b += other_sums.extra_b;
  }
};

template <typename Format>
struct RowSegment {
  typename PlaceCode<Format>::Code top_a[kTopColumns], top_b[kTopColumns];
  RowSums sums;
  Real<Format> masked_a, masked_b;  // the largest logit where the other side is -inf, -inf for none
  std::uint32_t nan_a, nan_b, mask_mismatch;
  bool differs, one_sided_nan, plus_infinity;
  bool numbers;  // its sums' peaks mean something
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_WORK_H_
