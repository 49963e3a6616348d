#include "gtest_parity/engines/llama_cpp/tap_values.h"

#include <string>
#include <vector>

#include "ggml-backend.h"
#include "ggml.h"
#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

void CheckTensor(const ggml_tensor& tensor, const Cut& cut, const PieceRows& rows) {
  const std::uint64_t expected = cut.RowBytes() * rows.size();
  const bool as_described = cut.dtype == ggml_type_name(tensor.type) &&
                            ggml_is_contiguous(&tensor) && ggml_nbytes(&tensor) == expected;
  if (as_described) return;
  throw Failed("node \"" + std::string(tensor.name) + "\" of " + cut.label + " has " +
               std::to_string(ggml_nbytes(&tensor)) + " bytes of " + ggml_type_name(tensor.type) +
               ", expected " + std::to_string(rows.size()) + " rows, " + std::to_string(expected) +
               " bytes of " + cut.dtype);
}

}  // namespace

void ReadRows(const ggml_tensor& from, const Cut& cut, const PieceRows& rows, HostBuffer* values) {
  CheckTensor(from, cut, rows);
  const std::uint64_t row_bytes = cut.RowBytes();
  std::vector<std::byte> in_graph_order(row_bytes * rows.size());
  ggml_backend_tensor_get(&from, in_graph_order.data(), 0, in_graph_order.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(values->data() + rows[i] * row_bytes, in_graph_order.data() + i * row_bytes,
                row_bytes);
  }
}

void WriteRows(const HostBuffer& values, const Cut& cut, const PieceRows& rows, ggml_tensor* to) {
  CheckTensor(*to, cut, rows);
  const std::uint64_t row_bytes = cut.RowBytes();
  std::vector<std::byte> in_graph_order(row_bytes * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(in_graph_order.data() + i * row_bytes, values.data() + rows[i] * row_bytes,
                row_bytes);
  }
  ggml_backend_tensor_set(to, in_graph_order.data(), 0, in_graph_order.size());
}

}  // namespace parity::llama_cpp
