#include <algorithm>

#include "gtest_parity/engines/tiny/paged/rows.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"

namespace parity::tiny::routed {
namespace {

// Of a match of the context's last 0, 1, 2, 3 tokens.
constexpr float kMatchScores[] = {0, 1, 16, 256};
constexpr std::uint64_t kLongestMatch = 3;

// Where the token at `position` of a sequence lies in the history.
std::uint64_t PlaceIn(const Operand& block_table, std::uint64_t sequence, std::uint64_t position) {
  const std::int32_t* pages =
      block_table.As<std::int32_t>() + sequence * paged::Columns(block_table);
  return static_cast<std::uint64_t>(pages[position / kPageTokens]) * kPageTokens +
         position % kPageTokens;
}

// The row of a sequence's first token, where all sequences have as many rows.
std::uint64_t FirstRow(const Operand& last_row, std::uint64_t sequence) {
  return static_cast<std::uint64_t>(last_row.As<std::int32_t>()[sequence]) - kDrafts;
}

// What is known of a sequence before the draft: history, the step's first token, earlier drafts.
std::vector<std::int32_t> ContextOf(const OpArgs& args, std::uint64_t sequence) {
  const std::uint64_t row = FirstRow(args.reads[2], sequence);
  const auto length = static_cast<std::uint64_t>(args.reads[1].As<std::int32_t>()[row]);
  std::vector<std::int32_t> context;
  for (std::uint64_t position = 0; position < length; ++position) {
    context.push_back(args.reads[4].As<std::int32_t>()[PlaceIn(args.reads[3], sequence, position)]);
  }
  context.push_back(args.reads[0].As<std::int32_t>()[row]);
  for (std::size_t draft = 5; draft < args.reads.size(); ++draft) {
    context.push_back(args.reads[draft].As<std::int32_t>()[sequence]);
  }
  return context;
}

// scores: [vocabulary], of every token as the one that comes next.
void ScoreFollowers(const std::vector<std::int32_t>& context, float* scores,
                    std::uint64_t vocabulary) {
  for (std::size_t at = 1; at < context.size(); ++at) {
    const auto token = static_cast<std::uint64_t>(context[at]);
    if (token >= vocabulary) continue;  // a state that was spoilt
    std::size_t match = 0;
    while (match < kLongestMatch && match < at &&
           context[at - 1 - match] == context[context.size() - 1 - match]) {
      ++match;
    }
    scores[token] += kMatchScores[match];
  }
}

}  // namespace

parity_status AppendTokens(const OpArgs& args) {
  const std::int32_t* tokens = args.reads[0].As<std::int32_t>();
  const std::int32_t* positions = args.reads[1].As<std::int32_t>();
  const std::int32_t* row_seq = args.reads[2].As<std::int32_t>();
  for (std::uint64_t row = 0; row < args.reads[0].Elements(); ++row) {
    const std::uint64_t place = PlaceIn(args.reads[3], static_cast<std::uint64_t>(row_seq[row]),
                                        static_cast<std::uint64_t>(positions[row]));
    args.updates[0].As<std::int32_t>()[place] = tokens[row];
  }
  return PARITY_OK;
}

parity_status Draft(const OpArgs& args) {
  const std::uint64_t vocabulary = paged::Columns(args.writes[1]);
  for (std::uint64_t sequence = 0; sequence < args.writes[0].Elements(); ++sequence) {
    float* scores = args.writes[1].As<float>() + sequence * vocabulary;
    std::fill_n(scores, vocabulary, 0.0f);
    ScoreFollowers(ContextOf(args, sequence), scores, vocabulary);
    args.writes[0].As<std::int32_t>()[sequence] =
        static_cast<std::int32_t>(std::max_element(scores, scores + vocabulary) - scores);
  }
  return PARITY_OK;
}

parity_status PlaceDrafts(const OpArgs& args) {
  std::int32_t* run_tokens = args.writes[0].As<std::int32_t>();
  for (std::uint64_t sequence = 0; sequence < args.reads[1].Elements(); ++sequence) {
    const std::uint64_t row = FirstRow(args.reads[1], sequence);
    run_tokens[row] = args.reads[0].As<std::int32_t>()[row];
    for (std::uint64_t draft = 0; draft < kDrafts; ++draft) {
      run_tokens[row + 1 + draft] = args.reads[2 + draft].As<std::int32_t>()[sequence];
    }
  }
  return PARITY_OK;
}

parity_status Choose(const OpArgs& args) {
  const std::uint64_t columns = paged::Columns(args.reads[0]);
  for (std::uint64_t row = 0; row < paged::RowCount(args.reads[0]); ++row) {
    const float* logits = args.reads[0].As<float>() + row * columns;
    args.writes[0].As<std::int32_t>()[row] =
        static_cast<std::int32_t>(std::max_element(logits, logits + columns) - logits);
  }
  return PARITY_OK;
}

parity_status LastChoice(const OpArgs& args) {
  for (std::uint64_t sequence = 0; sequence < args.writes[0].Elements(); ++sequence) {
    args.writes[0].As<std::int32_t>()[sequence] =
        args.reads[0].As<std::int32_t>()[args.reads[1].As<std::int32_t>()[sequence]];
  }
  return PARITY_OK;
}

parity_status Accept(const OpArgs& args) {
  const std::int32_t* run_tokens = args.reads[0].As<std::int32_t>();
  const std::int32_t* choice = args.reads[1].As<std::int32_t>();
  for (std::uint64_t sequence = 0; sequence < args.writes[0].Elements(); ++sequence) {
    const std::uint64_t row = FirstRow(args.reads[2], sequence);
    std::uint64_t accepted = 0;
    while (accepted < kDrafts && run_tokens[row + accepted + 1] == choice[row + accepted]) {
      ++accepted;
    }
    args.writes[0].As<std::int32_t>()[sequence] = static_cast<std::int32_t>(accepted);
    args.writes[1].As<std::int32_t>()[sequence] = choice[row + accepted];
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::routed
