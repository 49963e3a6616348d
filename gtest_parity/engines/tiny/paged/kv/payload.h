// The payload: thirteen words, the tokens, the frontier's logits, and each layer's keys and values.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_PAYLOAD_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_PAYLOAD_H_

#include <cstdint>
#include <cstdio>

#include "gtest_parity/engines/tiny/paged/kv/format.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {

std::uint64_t KvcPayloadBytes(const KvShape* shape, std::uint64_t tokens, bool logits);
bool KvcWritePayload(std::FILE* file, const KvShape* shape, const KvSnapshot* snapshot);
// From where the file stands. Nothing is read or allocated that the words and `bytes` do not agree
// on.
KvcError KvcReadPayload(std::FILE* file, std::uint64_t bytes, const KvShape* shape, bool logits,
                        KvSnapshot* out);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_PAYLOAD_H_
