// One slot's state as a file of its own.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_STATE_FILE_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_STATE_FILE_H_

#include <string>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::ported {

// Both return why not, by an id of docs/serving.md; nothing: done. A failed save leaves what was
// there.
std::string SaveState(const std::string& path, const KvShape& shape, const KvSnapshot& snapshot);
std::string LoadState(const std::string& path, const KvShape& shape, KvSnapshot& out);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_STATE_FILE_H_
