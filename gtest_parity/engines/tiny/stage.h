// Staging: checks a step and writes it to the input buffers.
#ifndef GTEST_PARITY_ENGINES_TINY_STAGE_H_
#define GTEST_PARITY_ENGINES_TINY_STAGE_H_

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/memory.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// A step's sequence: the array's stride is its owner's idea of the struct's size.
const parity_sequence& SequenceOf(const parity_step& step, std::uint64_t index);

// Throws EngineError: PARITY_INVALID if the step breaks the contract of engine.h or is larger than
// the engine, RefusedError by guard `context_limit` if a sequence outgrows the context.
void CheckStep(const parity_step& step, const EngineSpec& spec);

// What views need to know of the step.
std::vector<StagedSequence> SequencesOf(const parity_step& step);

// Makes `memory` that step's: extents and input buffers. The step has been checked.
void WriteStep(const parity_step& step, Memory& memory);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_STAGE_H_
