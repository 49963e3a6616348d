// One slot's state as a file of its own: a record's payload, without logits.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_STATE_FILE_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_STATE_FILE_H_

#include <string>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {

// Both return the id of why not, empty where it is done. By way of `path`.tmp.<pid>.
std::string SaveState(const std::string& path, const KvShape& shape, const KvSnapshot& snapshot);
std::string LoadState(const std::string& path, const KvShape& shape, KvSnapshot& out);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_STATE_FILE_H_
