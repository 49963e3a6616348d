#include <vector>

#include "gtest_parity/engines/tiny/ported/storage.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed_ported/ops.h"

namespace parity::tiny::routed_ported {
namespace {

using ported::Matrix;
using ported::Single;
using Ids = std::int32_t;

constexpr std::size_t kRunRows = 1 + kDrafts;  // rows of one sequence in `speculate`

// A sequence's tokens by position, wherever its pages lie.
struct PagedTokens {
  Ids* pages;
  const Ids* table;
  Ids& operator[](std::size_t position) const {
    return pages[static_cast<std::size_t>(table[position / kPageTokens]) * kPageTokens +
                 position % kPageTokens];
  }
};

PagedTokens TokensOf(const Operand& history, const Operand& tables, std::size_t sequence) {
  return {history.As<Ids>(), tables.As<const Ids>() + sequence * tables.dims[1]};
}

float MatchScore(std::size_t tokens) {
  float score = tokens == 0 ? 0.0f : 1.0f;
  for (std::size_t i = 1; i < tokens; ++i) score *= 16.0f;
  return score;
}

}  // namespace

parity_status RememberKernel(const OpArgs& args) {
  const auto* tokens = args.reads[0].As<const Ids>();
  const auto* positions = args.reads[1].As<const Ids>();
  const auto* sequences = args.reads[2].As<const Ids>();
  for (std::size_t row = 0; row < args.reads[0].dims[0]; ++row) {
    const auto sequence = static_cast<std::size_t>(sequences[row]);
    const PagedTokens history = TokensOf(args.updates[0], args.reads[3], sequence);
    history[static_cast<std::size_t>(positions[row])] = tokens[row];
  }
  return PARITY_OK;
}

parity_status LookupKernel(const OpArgs& args) {
  const Matrix<Single> scores(args.writes[1]);
  const auto* last_row = args.reads[2].As<const Ids>();
  for (std::size_t sequence = 0; sequence < scores.rows; ++sequence) {
    const std::size_t row = static_cast<std::size_t>(last_row[sequence]) + 1 - kRunRows;
    const PagedTokens history = TokensOf(args.reads[4], args.reads[3], sequence);
    std::vector<Ids> known(static_cast<std::size_t>(args.reads[1].As<const Ids>()[row]));
    for (std::size_t i = 0; i < known.size(); ++i) known[i] = history[i];
    known.push_back(args.reads[0].As<const Ids>()[row]);
    for (std::size_t i = 5; i < args.reads.size(); ++i) {
      known.push_back(args.reads[i].As<const Ids>()[sequence]);
    }
    for (std::size_t token = 0; token < scores.columns; ++token) scores.Put(sequence, token, 0);
    for (std::size_t next = 1; next < known.size(); ++next) {
      std::size_t same = 0;
      while (same < 3 && same < next &&
             known[next - same - 1] == known.end()[-1 - static_cast<std::ptrdiff_t>(same)])
        ++same;
      const auto token = static_cast<std::size_t>(known[next]);
      if (token >= scores.columns) continue;  // no token: a spoilt state
      scores.Put(sequence, token, scores.At(sequence, token) + MatchScore(same));
    }
    std::size_t best = 0;
    for (std::size_t token = 1; token < scores.columns; ++token) {
      if (scores.At(sequence, best) < scores.At(sequence, token)) best = token;
    }
    args.writes[0].As<Ids>()[sequence] = static_cast<Ids>(best);
  }
  return PARITY_OK;
}

parity_status SpreadKernel(const OpArgs& args) {
  const auto* last_row = args.reads[1].As<const Ids>();
  for (std::size_t sequence = 0; sequence < args.reads[1].dims[0]; ++sequence) {
    const std::size_t end = static_cast<std::size_t>(last_row[sequence]) + 1;
    Ids* rows = args.writes[0].As<Ids>() + (end - kRunRows);
    *rows = args.reads[0].As<const Ids>()[end - kRunRows];
    for (std::size_t draft = 0; draft < kDrafts; ++draft) {
      *++rows = args.reads[2 + draft].As<const Ids>()[sequence];
    }
  }
  return PARITY_OK;
}

parity_status BestKernel(const OpArgs& args) {
  const Matrix<Single> logits(args.reads[0]);
  for (std::size_t row = 0; row < logits.rows; ++row) {
    std::size_t best = 0;
    for (std::size_t token = 1; token < logits.columns; ++token) {
      if (logits.At(row, best) < logits.At(row, token)) best = token;
    }
    args.writes[0].As<Ids>()[row] = static_cast<Ids>(best);
  }
  return PARITY_OK;
}

parity_status TakeLastKernel(const OpArgs& args) {
  const auto* choice = args.reads[0].As<const Ids>();
  const auto* last_row = args.reads[1].As<const Ids>();
  for (std::size_t i = 0; i < args.writes[0].dims[0]; ++i) {
    args.writes[0].As<Ids>()[i] = choice[last_row[i]];
  }
  return PARITY_OK;
}

parity_status VerifyKernel(const OpArgs& args) {
  const auto* last_row = args.reads[2].As<const Ids>();
  for (std::size_t sequence = 0; sequence < args.writes[0].dims[0]; ++sequence) {
    const std::size_t first = static_cast<std::size_t>(last_row[sequence]) + 1 - kRunRows;
    const Ids* rows = args.reads[0].As<const Ids>() + first;
    const Ids* choice = args.reads[1].As<const Ids>() + first;
    std::size_t kept = 0;
    for (bool agrees = true; agrees && kept < kDrafts; kept += agrees ? 1 : 0) {
      agrees = rows[kept + 1] == choice[kept];
    }
    args.writes[0].As<Ids>()[sequence] = static_cast<Ids>(kept);
    args.writes[1].As<Ids>()[sequence] = choice[kept];
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::routed_ported
