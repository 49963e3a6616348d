// The keys that a manifest may have: one table for the reader and for the JSON Schema.
#ifndef GTEST_PARITY_MANIFEST_MANIFEST_KEYS_H_
#define GTEST_PARITY_MANIFEST_MANIFEST_KEYS_H_

#include <string>
#include <vector>

namespace parity {

struct ManifestKey {
  std::string name;
  bool required = false;
};

struct ManifestSection {
  std::string name;  // "manifest" is the whole file; the others are $defs of the schema
  std::vector<ManifestKey> keys;
};

const std::vector<ManifestSection>& ManifestSections();

// Throws std::out_of_range for a section that is not in the table.
const ManifestSection& FindManifestSection(const std::string& name);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_MANIFEST_KEYS_H_
