// The ops of `paged` on a GPU, written again with other threads and the same order of sums;
// textbook.h says what each reads and computes.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::cuda::ported {

parity_status RopeTable(const OpArgs& args);
parity_status Embed(const OpArgs& args);
parity_status RopeRows(const OpArgs& args);
parity_status RmsNorm(const OpArgs& args);
parity_status Linear(const OpArgs& args);
parity_status Rope(const OpArgs& args);
parity_status Append(const OpArgs& args);
parity_status Attention(const OpArgs& args);
parity_status AllReduce(const OpArgs& args);
parity_status Add(const OpArgs& args);
parity_status SiluMul(const OpArgs& args);
parity_status Argmax(const OpArgs& args);

}  // namespace parity::tiny::cuda::ported

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_OPS_H_
