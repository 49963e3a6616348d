// What an engine's records must be like to be its own.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_KV_SHAPE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_KV_SHAPE_H_

#include <string>

#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// The configuration's, or the defaults.
KvKnobs KvKnobsOf(const EngineConfig& config);
KvShape KvShapeOf(const EngineSpec& spec, const KvKnobs& knobs, parity_dtype activation);
// Its name, or empty.
std::string MutantOf(const EngineConfig& config);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_KV_SHAPE_H_
