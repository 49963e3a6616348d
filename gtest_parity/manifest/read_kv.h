// The `kv` section of a manifest.
#ifndef GTEST_PARITY_MANIFEST_READ_KV_H_
#define GTEST_PARITY_MANIFEST_READ_KV_H_

#include <string>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// `folder`: what relative paths are taken from. Errors go to `file`; what they concern keeps its
// default.
void ReadKv(const YAML::Node& node, const std::string& folder, YamlFile* file, KvOptions* out);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_KV_H_
