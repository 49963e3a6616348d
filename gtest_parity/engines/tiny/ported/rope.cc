#include <cmath>

#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/ported/storage.h"

namespace parity::tiny::ported {

parity_status AnglesKernel(const OpArgs& args) {
  const Matrix<Single> cosines(args.writes[0]), sines(args.writes[1]);
  for (std::size_t position = 0; position < cosines.rows; ++position) {
    for (std::size_t i = 0; i < cosines.columns; ++i) {
      const float turn = static_cast<float>(i) / static_cast<float>(cosines.columns);
      const float inverse = 1.0f / std::pow(args.model->rope_theta, turn);
      const float angle = static_cast<float>(position) * inverse;
      cosines.Put(position, i, std::cos(angle));
      sines.Put(position, i, std::sin(angle));
    }
  }
  return PARITY_OK;
}

parity_status GatherKernel(const OpArgs& args) {
  const auto* positions = args.reads[0].As<const std::int32_t>();
  const Matrix<Single> cos_table(args.reads[1]), sin_table(args.reads[2]);
  const Matrix<Single> cosines(args.writes[0]), sines(args.writes[1]);
  for (std::size_t row = 0; row < cosines.rows; ++row) {
    const auto from = static_cast<std::size_t>(positions[row]);
    for (std::size_t i = 0; i < cosines.columns; ++i) {
      cosines.Put(row, i, cos_table.At(from, i));
      sines.Put(row, i, sin_table.At(from, i));
    }
  }
  return PARITY_OK;
}

parity_status RotateKernel(const OpArgs& args) {
  const Matrix<Single> cosines(args.reads[0]), sines(args.reads[1]);
  const std::size_t half = cosines.columns;
  for (const Operand& operand : args.updates) {
    WithStorage(operand, [&](auto storage) {
      const Matrix<decltype(storage)> values(operand);
      for (std::size_t row = 0; row < values.rows; ++row) {
        for (std::size_t column = 0; column < values.columns; ++column) {
          const std::size_t i = column % (2 * half);
          if (i >= half) continue;  // written together with its partner
          const float x = values.At(row, column), y = values.At(row, column + half);
          const float c = cosines.At(row, i), s = sines.At(row, i);
          values.Put(row, column, x * c - y * s);
          values.Put(row, column + half, y * c + x * s);
        }
      }
    });
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::ported
