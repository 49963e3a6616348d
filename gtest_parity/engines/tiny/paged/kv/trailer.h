// The trailer KTM: which ids stand for which sampled tool blocks.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_TRAILER_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_TRAILER_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {

// Of the blocks that occur in `text`; empty where none does.
std::string KvcTrailer(const std::string& text, const std::vector<ToolBlock>& blocks);
// Appends what the next `bytes` of the file hold. Entries before a cut or a wrong length count; a
// file without a trailer has none.
void KvcReadTrailer(std::FILE* file, std::uint64_t bytes, std::vector<ToolBlock>* out);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_TRAILER_H_
