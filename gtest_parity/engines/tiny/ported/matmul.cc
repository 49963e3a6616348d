#include <vector>

#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/ported/storage.h"

namespace parity::tiny::ported {
namespace {

constexpr std::size_t kWidth = 16;  // interleaved partial sums of one product
constexpr std::size_t kTile = 2;    // outputs that share a pass over a row of x

float Fold(const float (&part)[kWidth]) {
  float eight[8], four[4];
  for (std::size_t i = 0; i < 8; ++i) eight[i] = part[i] + part[i + 8];
  for (std::size_t i = 0; i < 4; ++i) four[i] = eight[i] + eight[i + 4];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// panel: [depth / kWidth][kTile][kWidth], the tile's weights as the inner loop meets them.
void PackPanel(const Matrix<Brain>& weight, std::size_t first, std::size_t tile, float* panel) {
  for (std::size_t block = 0; block < weight.columns / kWidth; ++block) {
    for (std::size_t t = 0; t < kTile; ++t) {
      for (std::size_t lane = 0; lane < kWidth; ++lane) {
        *panel++ = t < tile ? weight.At(first + t, block * kWidth + lane) : 0.0f;
      }
    }
  }
}

// out: [kTile] products of one row with the packed outputs.
void RowTimesPanel(const float* x, const float* panel, std::size_t depth, float* out) {
  float part[kTile][kWidth] = {};
  for (const float* end = x + depth; x != end; x += kWidth) {
    for (std::size_t t = 0; t < kTile; ++t, panel += kWidth) {
      for (std::size_t lane = 0; lane < kWidth; ++lane) part[t][lane] += x[lane] * panel[lane];
    }
  }
  for (std::size_t t = 0; t < kTile; ++t) out[t] = Fold(part[t]);
}

template <typename In>
std::vector<float> Widened(const Matrix<In>& x) {
  std::vector<float> values(x.rows * x.columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = In::Widen(x.data[i]);
  return values;
}

template <typename In, typename Out>
void Matmul(const Matrix<In>& x, const Matrix<Brain>& weight, const Matrix<Out>& y) {
  const std::vector<float> rows = Widened(x);
  std::vector<float> panel(kTile * weight.columns);
  for (std::size_t first = 0; first < weight.rows; first += kTile) {
    const std::size_t tile = weight.rows - first < kTile ? weight.rows - first : kTile;
    PackPanel(weight, first, tile, panel.data());
    for (std::size_t row = 0; row < x.rows; ++row) {
      float out[kTile];
      RowTimesPanel(rows.data() + row * x.columns, panel.data(), x.columns, out);
      for (std::size_t t = 0; t < tile; ++t) y.Put(row, first + t, out[t]);
    }
  }
}

}  // namespace

parity_status MatmulKernel(const OpArgs& args) {
  WithStorage(args.reads[0], [&](auto in) {
    WithStorage(args.writes[0], [&](auto out) {
      Matmul(Matrix<decltype(in)>(args.reads[0]), Matrix<Brain>(args.reads[1]),
             Matrix<decltype(out)>(args.writes[0]));
    });
  });
  return PARITY_OK;
}

}  // namespace parity::tiny::ported
