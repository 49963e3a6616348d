// Mutants that choose another next token than the logits say.
#include <algorithm>
#include <limits>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

// The row of logits that a sequence of the step chooses from, and where its choice goes.
struct Choice {
  std::int32_t& token;
  std::int32_t row;
  std::span<const float> logits;
};

template <typename Change>
void ForEachChoice(MutantCall& call, Change change) {
  const Operand logits = call.memory.Get("logits");
  const std::int32_t* last_row = call.memory.Get("last_row").As<std::int32_t>();
  const std::uint64_t columns = logits.dims[1];
  const Operand& chosen = call.Output();
  for (std::uint64_t i = 0; i < chosen.Elements(); ++i) {
    const float* row = logits.As<float>() + static_cast<std::uint64_t>(last_row[i]) * columns;
    change(Choice{chosen.As<std::int32_t>()[i], last_row[i], {row, columns}});
  }
}

}  // namespace

void TakeHighestOfTies(MutantCall& call) {
  ForEachChoice(call, [](const Choice& choice) {
    const auto last = std::max_element(choice.logits.rbegin(), choice.logits.rend());
    choice.token = static_cast<std::int32_t>(choice.logits.rend() - last) - 1;
  });
}

void RepeatAtPageEdge(MutantCall& call) {
  const std::int32_t* tokens = call.memory.Get("tokens").As<std::int32_t>();
  const std::int32_t* positions = call.memory.Get("positions").As<std::int32_t>();
  ForEachChoice(call, [&](const Choice& choice) {
    const auto next = static_cast<std::uint64_t>(positions[choice.row]) + 1;
    if (next % kPageTokens == 0) choice.token = tokens[choice.row];
  });
}

void NeverEnd(MutantCall& call) {
  ForEachChoice(call, [&](const Choice& choice) {
    const std::int32_t end = call.options.token;
    if (choice.token != end) return;
    float best = -std::numeric_limits<float>::infinity();
    for (std::size_t id = 0; id < choice.logits.size(); ++id) {
      if (static_cast<std::int32_t>(id) == end || !(choice.logits[id] > best)) continue;
      best = choice.logits[id];
      choice.token = static_cast<std::int32_t>(id);
    }
  });
}

}  // namespace parity::tiny
