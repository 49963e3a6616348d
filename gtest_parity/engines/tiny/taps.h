// What a harness looks at while a program runs whole.
#ifndef GTEST_PARITY_ENGINES_TINY_TAPS_H_
#define GTEST_PARITY_ENGINES_TINY_TAPS_H_

#include <cstdint>
#include <span>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/memory.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

struct Taps {
  std::span<const parity_tap> taps;
  parity_tap_callback callback = nullptr;
  void* user = nullptr;

  // Whether any tap is at that op.
  bool Look(std::uint32_t op) const;
  // Calls back for each tap at that op with a copy that is gone when the call returns, and takes
  // over what the harness made of it, unless `hide_writes`. Throws EngineError (PARITY_CANCELLED)
  // where the callback ends the run.
  void Show(std::uint32_t op, const Memory& memory, bool hide_writes) const;
};

// Throws EngineError: PARITY_INVALID for an op that the program has not or a buffer that the op
// does not write, PARITY_UNSUPPORTED for a state.
void CheckTaps(const Taps& taps, const ProgramSpec& program);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TAPS_H_
