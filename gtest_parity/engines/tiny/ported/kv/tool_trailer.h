// The tool map behind a record's payload.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_TOOL_TRAILER_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_TOOL_TRAILER_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::ported {

// Those blocks that `text` contains; no bytes at all without any.
std::string EncodeTrailer(const std::string& text, const std::vector<ToolBlock>& blocks);
// What `in` holds in its next `bytes`, up to the first entry that is not whole or out of bounds.
std::vector<ToolBlock> DecodeTrailer(std::istream& in, std::uint64_t bytes);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_TOOL_TRAILER_H_
