// Reading an engine description.
#ifndef GTEST_PARITY_MANIFEST_READ_DESCRIPTION_H_
#define GTEST_PARITY_MANIFEST_READ_DESCRIPTION_H_

#include <cstdint>
#include <string>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity {

// Reads and checks a description for a number of ranks: shapes must come out whole there. Throws
// InvalidInput with every error, each with its JSON pointer and line.
Description ReadDescription(const std::string& path, std::uint32_t ranks);
Description ReadDescription(JsonSource source, std::uint32_t ranks);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_DESCRIPTION_H_
