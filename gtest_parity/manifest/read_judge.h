// The `judge` section of a manifest.
#ifndef GTEST_PARITY_MANIFEST_READ_JUDGE_H_
#define GTEST_PARITY_MANIFEST_READ_JUDGE_H_

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// Errors go to `file`; what they concern keeps its default.
void ReadJudge(const YAML::Node& node, YamlFile* file, JudgeOptions* out);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_JUDGE_H_
