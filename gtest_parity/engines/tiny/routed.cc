#include "gtest_parity/engines/tiny/routed.h"

#include <utility>

#include "gtest_parity/engines/tiny/model_tensors.h"

namespace parity::tiny {
namespace {

using Names = std::vector<std::string>;

std::string Draft(std::uint64_t place) { return "draft" + std::to_string(place); }
std::string DraftScores(std::uint64_t place) { return "draft_scores" + std::to_string(place); }

Names Drafts(std::uint64_t count) {
  Names names;
  for (std::uint64_t place = 1; place <= count; ++place) names.push_back(Draft(place));
  return names;
}

Names Joined(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::vector<OpSpec> ExpertOps(const TextbookOps& textbook, const RoutedOps& run,
                              std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  const std::string scores = at("router_scores"), ids = at("router_ids");
  std::vector<OpSpec> ops = {
      {"rms_norm", at("mlp_norm"), {"h", at("mlp_norm.weight")}, {"x"}, {}, textbook.rms_norm},
      {"linear", at("router"), {"x", at("router.weight")}, {scores}, {}, textbook.linear}};
  if (run.expert_weights == nullptr) {
    ops.push_back({"route", at("route"), {scores}, {ids, "expert_weights"}, {}, run.top_experts});
  } else {
    ops.push_back({"top_experts", at("top_experts"), {scores}, {ids}, {}, run.top_experts});
    ops.push_back({"expert_weights",
                   at("expert_weights"),
                   {scores, ids},
                   {"expert_weights"},
                   {},
                   run.expert_weights});
  }
  ops.push_back({"expert_act",
                 at("expert_act"),
                 {"x", ids, at("gate.weight"), at("up.weight")},
                 {"act"},
                 {},
                 run.expert_act});
  ops.push_back({"expert_down",
                 at("expert_down"),
                 {"act", ids, "expert_weights", at("down.weight")},
                 {"partial"},
                 {},
                 run.expert_down});
  ops.push_back({"all_reduce", at("expert_reduce"), {}, {}, {"partial"}, textbook.all_reduce});
  ops.push_back({"add", at("mlp_residual"), {"partial"}, {}, {"h"}, textbook.add});
  return ops;
}

OpSpec Append(const RoutedOps& run, const std::string& tokens) {
  return {"append_tokens", "history",        {tokens, "positions", "row_seq", "block_table"}, {},
          {"history"},     run.append_tokens};
}

// From token ids to each row's choice.
void AddForward(const TextbookOps& textbook, const RoutedOps& run, const ModelShape& model,
                const std::string& tokens, std::vector<OpSpec>& ops) {
  ops.push_back({"embed", "embed", {tokens, "embed.weight"}, {"h"}, {}, textbook.embed});
  ops.push_back({"rope_rows",
                 "rope_rows",
                 {"positions", "rope_cos", "rope_sin"},
                 {"cos", "sin"},
                 {},
                 textbook.rope_rows});
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    std::vector<OpSpec> both = AttentionOps(textbook, layer);
    // Whole on every rank: there is nothing to sum over ranks.
    std::erase_if(both, [](const OpSpec& op) { return op.op == "all_reduce"; });
    for (OpSpec& op : ExpertOps(textbook, run, layer)) both.push_back(std::move(op));
    for (OpSpec& op : both) {
      op.layer = static_cast<int>(layer);
      ops.push_back(std::move(op));
    }
  }
  ops.push_back(
      {"rms_norm", "final_norm", {"h", "final_norm.weight"}, {"x"}, {}, textbook.rms_norm});
  ops.push_back({"linear", "logits", {"x", "embed.weight"}, {"logits"}, {}, textbook.linear});
  ops.push_back({"choose", "choose", {"logits"}, {"choice"}, {}, run.choose});
}

std::vector<OpSpec> StepOps(const TextbookOps& textbook, const RoutedOps& run,
                            const ModelShape& model) {
  std::vector<OpSpec> ops = {Append(run, "tokens")};
  AddForward(textbook, run, model, "tokens", ops);
  ops.push_back(
      {"last_choice", "next_token", {"choice", "last_row"}, {"next_token"}, {}, run.last_choice});
  return ops;
}

std::vector<OpSpec> SpeculateOps(const TextbookOps& textbook, const RoutedOps& run,
                                 const ModelShape& model) {
  std::vector<OpSpec> ops;
  const Names context = {"tokens", "positions", "last_row", "block_table", "history"};
  for (std::uint64_t place = 1; place <= kDrafts; ++place) {
    ops.push_back({"draft",
                   Draft(place),
                   Joined(context, Drafts(place - 1)),
                   {Draft(place), DraftScores(place)},
                   {},
                   run.draft});
  }
  ops.push_back({"place_drafts",
                 "run_tokens",
                 Joined({"tokens", "last_row"}, Drafts(kDrafts)),
                 {"run_tokens"},
                 {},
                 run.place_drafts});
  ops.push_back(Append(run, "run_tokens"));
  AddForward(textbook, run, model, "run_tokens", ops);
  ops.push_back({"accept",
                 "accept",
                 {"run_tokens", "choice", "last_row"},
                 {"accepted", "next_token"},
                 {},
                 run.accept});
  return ops;
}

TensorSpec Replicated(const std::string& name, parity_dtype dtype, std::vector<Dim> shape) {
  return {name, dtype, std::move(shape), "workspace", true};
}

TensorSpec Decision(const std::string& name, std::vector<Dim> shape, std::uint64_t choices,
                    const std::string& scores) {
  TensorSpec spec = Replicated(name, PARITY_I32, std::move(shape));
  spec.role = "decision";
  spec.domain = Domain{0, static_cast<std::int64_t>(choices) - 1};
  spec.scores = scores;
  return spec;
}

std::vector<TensorSpec> RoutedTensors(const ModelShape& model, parity_dtype activation) {
  std::vector<TensorSpec> tensors = {
      Replicated("k", activation, {Rows(), model.KeyWidth()}),
      Replicated("v", activation, {Rows(), model.KeyWidth()}),
      Replicated("expert_weights", PARITY_F32, {Rows(), kChosenExperts}),
      Decision("choice", {Rows()}, model.vocabulary, "logits"),
      Decision("accepted", {Sequences()}, kDrafts + 1, "")};
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    const std::string scores = InLayer(layer, "router_scores");
    TensorSpec weight =
        Replicated(InLayer(layer, "router.weight"), PARITY_BF16, {kExperts, model.hidden});
    weight.role = "constant";
    tensors.push_back(weight);
    tensors.push_back(Replicated(scores, PARITY_F32, {Rows(), kExperts}));
    tensors.push_back(
        Decision(InLayer(layer, "router_ids"), {Rows(), kChosenExperts}, kExperts, scores));
  }
  for (std::uint64_t place = 1; place <= kDrafts; ++place) {
    tensors.push_back(Replicated(DraftScores(place), PARITY_F32, {Sequences(), model.vocabulary}));
    tensors.push_back(Decision(Draft(place), {Sequences()}, model.vocabulary, DraftScores(place)));
  }
  TensorSpec run_tokens = Replicated("run_tokens", PARITY_I32, {Rows()});
  run_tokens.domain = Domain{0, static_cast<std::int64_t>(model.vocabulary) - 1};
  tensors.push_back(run_tokens);
  return tensors;
}

std::vector<OpSpec> SetupOps(const TextbookOps& textbook, const RoutedOps& run,
                             const ModelShape& model) {
  std::vector<OpSpec> ops = {
      {"rope_table", "rope_table", {}, {"rope_cos", "rope_sin"}, {}, textbook.rope_table}};
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    const std::string name = InLayer(layer, "router.weight");
    ops.push_back({"router_weight", name, {}, {name}, {}, run.router_weight});
    ops.back().layer = static_cast<int>(layer);
  }
  return ops;
}

}  // namespace

EngineSpec RoutedSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                      const TextbookOps& textbook, const RoutedOps& routed) {
  EngineSpec spec = CommonSpec(engine, model, activation, Parallel::kExperts);
  for (TensorSpec& tensor : RoutedTensors(model, activation)) {
    spec.buffers.push_back(std::move(tensor));
  }
  spec.states.push_back({"history", PARITY_I32, {kPageCount, kPageTokens}, "", true});
  spec.programs = {{"setup", true, SetupOps(textbook, routed, model)},
                   {"prefill", false, StepOps(textbook, routed, model)},
                   {"decode", false, StepOps(textbook, routed, model)},
                   {"speculate", false, SpeculateOps(textbook, routed, model), kDrafts}};
  return spec;
}

// SplitMix64 (Steele, Lea, Flood 2014) over the element's place; 8 bits of it are the value.
float RouterWeight(std::uint64_t layer, std::uint64_t index) {
  std::uint64_t z = (layer << 32 | index) + 1;
  z *= 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return (static_cast<float>(z & 0xff) - 128.0f) / 1024.0f;
}

}  // namespace parity::tiny
