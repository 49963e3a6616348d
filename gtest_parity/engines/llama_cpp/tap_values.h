// Values of a cut between llama.cpp's memory and rows in the order of the step.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_TAP_VALUES_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_TAP_VALUES_H_

#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/host_buffer.h"
#include "gtest_parity/engines/llama_cpp/row_order.h"

struct ggml_tensor;

namespace parity::llama_cpp {

// Both throw EngineError (PARITY_FAILED) where the tensor is not what was described, with a row for
// each of `rows`. `values` has a row for each row of the step.
void ReadRows(const ggml_tensor& from, const Cut& cut, const PieceRows& rows, HostBuffer* values);
void WriteRows(const HostBuffer& values, const Cut& cut, const PieceRows& rows, ggml_tensor* to);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_TAP_VALUES_H_
