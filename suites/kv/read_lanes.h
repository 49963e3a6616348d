// Reading the lanes of a KV matrix.
#ifndef GTEST_PARITY_SUITES_KV_READ_LANES_H_
#define GTEST_PARITY_SUITES_KV_READ_LANES_H_

#include <string>

#include "suites/kv/lane.h"

namespace parity::kv {

// docs/kv.md has the keys. Throws InvalidInput with every error.
Lanes ReadLanes(const std::string& path);
// `text` is what the file at `path` would hold.
Lanes ReadLanesText(const std::string& path, const std::string& text);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_READ_LANES_H_
