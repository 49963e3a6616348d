// Reading a parity manifest.
#ifndef GTEST_PARITY_MANIFEST_READ_MANIFEST_H_
#define GTEST_PARITY_MANIFEST_READ_MANIFEST_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "gtest_parity/manifest/find_library.h"
#include "gtest_parity/manifest/manifest.h"

namespace parity {

// What a caller lays over the file, so that one manifest serves several groups of CTest.
struct ReadOptions {
  SearchPath search;
  std::optional<std::uint32_t> ranks;
  // Merged over the sides' `config` (RFC 7396): null members remove a key.
  nlohmann::json reference_config = nlohmann::json::object();
  nlohmann::json candidate_config = nlohmann::json::object();
  // The reference was recorded: its library may be absent, and its path is then empty.
  bool reference_recorded = false;
};

// Reads and checks the file alone: libraries, descriptions and prompts must exist but are not
// opened. Relative paths are taken from the manifest's folder. Throws InvalidInput with every
// error.
Manifest ReadManifest(const std::string& path, const ReadOptions& options = {});
// `text` is what the file at `path` would hold.
Manifest ReadManifestText(const std::string& path, const std::string& text,
                          const ReadOptions& options = {});

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_MANIFEST_H_
