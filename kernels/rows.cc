#include "kernels/rows.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "kernels/dispatch.h"
#include "kernels/divergence.h"
#include "kernels/row_order.h"

namespace parity {
namespace {

template <typename Format>
class Row {
 public:
  using Bits = typename Format::Bits;

  // Its columns are elements of `data` from `first` on.
  Row(const void* data, std::uint64_t first, std::uint32_t columns)
      : data_(static_cast<const unsigned char*>(data)), first_(first), columns_(columns) {}

  std::uint32_t columns() const { return columns_; }

  bool HasBitsOf(const Row& other) const {
    if constexpr (Format::kBits < 8) {
      for (std::uint32_t i = 0; i < columns_; ++i) {
        if (BitsAt(i) != other.BitsAt(i)) return false;
      }
      return true;
    }
    return std::memcmp(data_ + first_ * sizeof(Bits), other.data_ + first_ * sizeof(Bits),
                       std::size_t{columns_} * sizeof(Bits)) == 0;
  }
  bool IsNan(std::uint32_t column) const { return Format::IsNan(BitsAt(column)); }
  double Logit(std::uint32_t column) const { return Format::Decode(BitsAt(column)); }
  RowPlace Place(std::uint32_t column) const { return {OrderKey<Format>(BitsAt(column)), column}; }

 private:
  Bits BitsAt(std::uint32_t column) const { return LoadBits<Format>(data_, first_ + column); }

  const unsigned char* data_;
  std::uint64_t first_;
  std::uint32_t columns_;
};

// The places of a row, and how many of its columns are NaN.
struct RowScan {
  TopColumns top;
  std::uint32_t nan = 0;
};

template <typename Format>
RowScan Scan(const Row<Format>& row) {
  RowScan scan;
  for (std::uint32_t i = 0; i < row.columns(); ++i) {
    const RowPlace place = row.Place(i);
    scan.nan += place.key == kNanOrderKey ? 1 : 0;
    scan.top.Offer(place);
  }
  return scan;
}

template <typename Format>
double Margin(const Row<Format>& row, const TopColumns& top) {
  if (top.size == 1) return HUGE_VAL;
  const RowPlace best = top.places[0], second = top.places[1];
  if (best.key == second.key) return 0;
  if (second.key == kNanOrderKey) return HUGE_VAL;
  return row.Logit(best.column) - row.Logit(second.column);
}

// The largest logit that is a number; -inf where there is none.
template <typename Format>
double Peak(const Row<Format>& row, const TopColumns& top) {
  return top.places[0].key == kNanOrderKey ? -HUGE_VAL : row.Logit(top.places[0].column);
}

template <typename Format>
void Diverge(const Row<Format>& a, double peak_a, const Row<Format>& b, double peak_b,
             RowStats* stats) {
  Divergence forward, reverse;
  bool one_sided_nan = false;
  for (std::uint32_t i = 0; i < a.columns(); ++i) {
    const double x = a.Logit(i), y = b.Logit(i);
    stats->mask_mismatch += (x == -HUGE_VAL) != (y == -HUGE_VAL) ? 1 : 0;
    if (a.IsNan(i) || b.IsNan(i)) {
      one_sided_nan |= a.IsNan(i) != b.IsNan(i);
      continue;
    }
    const double lp = LogWeight(x, peak_a), lq = LogWeight(y, peak_b);
    const double wp = std::exp(lp), wq = std::exp(lq);
    forward.Add(lp, lq, wp, wq);
    reverse.Add(lq, lp, wq, wp);
  }
  stats->kl = one_sided_nan ? HUGE_VAL : forward.Value();
  stats->kl_reverse = one_sided_nan ? HUGE_VAL : reverse.Value();
}

template <typename Format>
std::uint32_t RankOf(std::uint32_t column, const Row<Format>& row) {
  const RowPlace place = row.Place(column);
  std::uint32_t rank = 1;
  for (std::uint32_t i = 0; i < row.columns(); ++i) rank += Before(row.Place(i), place) ? 1 : 0;
  return rank;
}

template <typename Format>
RowStats CompareRow(const Row<Format>& a, const Row<Format>& b) {
  RowStats stats;
  stats.identical = a.HasBitsOf(b);
  const RowScan scan_a = Scan(a);
  const RowScan scan_b = stats.identical ? scan_a : Scan(b);
  stats.argmax_reference = scan_a.top.places[0].column;
  stats.argmax_candidate = scan_b.top.places[0].column;
  stats.margin = Margin(a, scan_a.top);
  stats.nan_reference = scan_a.nan;
  stats.nan_candidate = scan_b.nan;
  stats.top_overlap = scan_a.top.Overlap(scan_b.top);
  stats.rank = stats.Flip() ? RankOf(stats.argmax_reference, b) : 1;
  if (!stats.identical) Diverge(a, Peak(a, scan_a.top), b, Peak(b, scan_b.top), &stats);
  return stats;
}

}  // namespace

std::vector<RowStats> CompareRows(DType dtype, std::uint32_t columns, std::uint64_t rows,
                                  const void* reference, const void* candidate) {
  return VisitFloatFormat(dtype, "CompareRows", [&]<typename Format>(Format) {
    if (columns == 0) {
      throw std::invalid_argument("CompareRows: expected at least 1 column, got 0");
    }
    std::vector<RowStats> result;
    result.reserve(rows);
    for (std::uint64_t i = 0; i < rows; ++i) {
      result.push_back(CompareRow(Row<Format>(reference, i * columns, columns),
                                  Row<Format>(candidate, i * columns, columns)));
    }
    return result;
  });
}

}  // namespace parity
