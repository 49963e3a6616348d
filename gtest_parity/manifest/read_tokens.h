// The `tokens` section of a manifest.
#ifndef GTEST_PARITY_MANIFEST_READ_TOKENS_H_
#define GTEST_PARITY_MANIFEST_READ_TOKENS_H_

#include <string>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// `folder`: what a relative path is taken from. Errors go to `file`; what they concern keeps its
// default.
void ReadTokens(const YAML::Node& node, const std::string& folder, YamlFile* file,
                TokenOptions* out);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_TOKENS_H_
