// Fills a rank's constants from the model file.
#ifndef GTEST_PARITY_ENGINES_TINY_WEIGHTS_H_
#define GTEST_PARITY_ENGINES_TINY_WEIGHTS_H_

#include <string>

#include "gtest_parity/engines/tiny/memory.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// Reads `directory`/model.safetensors and copies into every constant of `spec` this rank's part of
// its stored tensor. Throws EngineError as SafetensorsFile does.
void LoadWeights(const std::string& directory, const EngineSpec& spec, std::uint32_t rank,
                 Memory& memory);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_WEIGHTS_H_
