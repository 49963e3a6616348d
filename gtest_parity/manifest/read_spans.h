// The `spans` key of a manifest.
#ifndef GTEST_PARITY_MANIFEST_READ_SPANS_H_
#define GTEST_PARITY_MANIFEST_READ_SPANS_H_

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// Sets the selection, and of an explicit list the spans. Errors go to `file`.
void ReadSpans(const YAML::Node& node, YamlFile* file, Manifest* out);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_SPANS_H_
