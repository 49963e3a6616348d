// A description and a plan of one span, for tests of what happens in it.
#ifndef GTEST_PARITY_TESTS_REPLAY_SMALL_PLAN_H_
#define GTEST_PARITY_TESTS_REPLAY_SMALL_PLAN_H_

#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

// Pages of 16 tokens, 64 of them, 8 sequences of up to 512 tokens, a vocabulary of 100.
inline Description SmallEngine() {
  Description engine;
  engine.engine = "small";
  engine.var_max = {{"rows", 256}, {"seqs", 8}};
  engine.paging = Paging{16, 64};
  engine.context = 512;
  Tensor tokens{.name = "tokens", .dtype = DType::kI32, .shape = {{"rows", ""}}};
  tokens.role = Role::kInput;
  tokens.domain = ValueRange{0, 99};
  engine.tensors["tokens"] = tokens;
  for (const char* program : {"prefill", "decode"}) {
    engine.programs.push_back({program, false, {{"embed", "embed", {"tokens"}, {}, {}}}});
  }
  return engine;
}

// [pages, page tokens, heads, width]
inline Tensor PagedState(std::vector<Dim> shape, bool paged = true) {
  Tensor state{.name = "k", .kind = Kind::kState, .dtype = DType::kF32, .shape = std::move(shape)};
  state.paged = paged;
  return state;
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_REPLAY_SMALL_PLAN_H_
