// The ops of `paged`, for every engine that is made of them.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_TEXTBOOK_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_TEXTBOOK_OPS_H_

#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny::paged {

inline constexpr TextbookOps kTextbookOps = {
    .rope_table = RopeTable,
    .embed = Embed,
    .rope_rows = RopeRows,
    .rms_norm = RmsNorm,
    .linear = Linear,
    .rope = Rope,
    .kv_append = Append,
    .attention = Attention,
    .all_reduce = AllReduce,
    .add = Add,
    .silu_mul = SiluMul,
    .argmax = Argmax,
};

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_TEXTBOOK_OPS_H_
