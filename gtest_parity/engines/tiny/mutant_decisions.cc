// Mutants that decide otherwise than the scores say.
#include <algorithm>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

constexpr std::int32_t kNoExpert = 7;

// Calls change(choice, scores, columns) for the first choice of each row of scores: a draft is
// written with its scores, other choices read them.
template <typename Change>
void ForFirstChoices(MutantCall& call, Change change) {
  const Operand& choices = call.Output();
  const Operand& scores = call.op.op == "draft" ? call.args.writes[1] : call.args.reads[0];
  const std::uint64_t columns = scores.dims.back();
  const std::uint64_t rows = scores.Elements() / columns;
  for (std::uint64_t row = 0; row < rows; ++row) {
    change(choices.As<std::int32_t>()[row * choices.Elements() / rows],
           scores.As<float>() + row * columns, columns);
  }
}

}  // namespace

void ChooseOtherOfEquals(MutantCall& call) {
  ForFirstChoices(call, [](std::int32_t& choice, const float* scores, std::uint64_t columns) {
    for (std::uint64_t other = 0; other < columns; ++other) {
      if (scores[other] == scores[choice]) choice = static_cast<std::int32_t>(other);
    }
  });
}

void ChooseWorst(MutantCall& call) {
  ForFirstChoices(call, [](std::int32_t& choice, const float* scores, std::uint64_t columns) {
    choice = static_cast<std::int32_t>(std::min_element(scores, scores + columns) - scores);
  });
}

void StoreNoChoice(MutantCall& call) {
  ForFirstChoices(call,
                  [](std::int32_t& choice, const float*, std::uint64_t) { choice = kNoExpert; });
}

void AcceptOneMore(MutantCall& call) {
  const Operand& accepted = call.Output();
  for (std::uint64_t i = 0; i < accepted.Elements(); ++i) {
    std::int32_t& count = accepted.As<std::int32_t>()[i];
    count += count == 0 ? 1 : -1;
  }
}

}  // namespace parity::tiny
