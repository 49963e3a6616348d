// Another model of the same shapes, without a second checkpoint.
#ifndef GTEST_PARITY_SUITES_KV_OTHER_WEIGHTS_H_
#define GTEST_PARITY_SUITES_KV_OTHER_WEIGHTS_H_

#include <string>

namespace parity::kv {

// Copies the files of `folder` into the folder `to`. In every .safetensors file the signs of every
// second value of every tensor of floats (F64, F32, F16, BF16) are turned round, so that all values
// stay ones that were trained. Throws std::runtime_error where there is no such file or value, and
// for files that cannot be read or written.
void CopyWithOtherWeights(const std::string& folder, const std::string& to);

// A GGUF: the rows of every matrix come in another order, and some signs are turned. Throws
// InvalidInput for what is none, and ReportError where the copy cannot be written.
void CopyGgufWithOtherWeights(const std::string& file, const std::string& to);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_OTHER_WEIGHTS_H_
