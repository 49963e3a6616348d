// The ops of `paged` on a GPU; textbook.h says what each reads and computes. Sums have the order
// that they have on the host but in `Linear`, which is cuBLAS's.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_PAGED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_PAGED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::cuda::paged {

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

}  // namespace parity::tiny::cuda::paged

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_PAGED_OPS_H_
