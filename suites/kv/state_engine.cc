#include "suites/kv/state_engine.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/replay/workload.h"
#include "kernels/dispatch.h"

namespace parity::kv {
namespace {

using nlohmann::json;

[[noreturn]] void Fail(const std::string& words) { throw std::runtime_error(words); }

std::uint64_t MaxOf(const Description& description, const std::string& name) {
  const auto found = description.var_max.find(name);
  if (found == description.var_max.end()) {
    Fail("engine '" + description.engine + "' declares no variable '" + name + "'");
  }
  return found->second;
}

// The last `columns` values, as f32.
std::vector<float> LastRow(DType dtype, const std::vector<std::uint8_t>& bytes,
                           std::uint64_t columns) {
  const std::uint64_t values = ElementsIn(dtype, bytes.size());
  if (values < columns) {
    Fail("logits of " + std::to_string(values) + " values, expected a row of " +
         std::to_string(columns));
  }
  std::vector<float> row(columns);
  VisitIeeeFormat(dtype, "logits", [&](auto format) {
    using Format = decltype(format);
    for (std::uint64_t i = 0; i < columns; ++i) {
      row[i] =
          static_cast<float>(Format::Decode(LoadBits<Format>(bytes.data(), values - columns + i)));
    }
  });
  return row;
}

}  // namespace

StateEngine::StateEngine(Side& side, StateDriving driving)
    : side_(side), driving_(std::move(driving)) {
  const Description& description = driving_.description;
  const auto named = [&](const char* wanted, const char* other) {
    for (const char* name : {wanted, other}) {
      if (description.FindProgram(name) != nullptr) return std::string(name);
    }
    Fail("engine '" + description.engine + "' has neither a program 'prefill' nor 'decode'");
  };
  prefill_ = named("prefill", "decode");
  decode_ = named("decode", "prefill");
  chunk_ = prefill_ == "decode" ? 1 : std::min(driving_.chunk, MaxOf(description, "rows"));
  if (chunk_ == 0) Fail("chunks of 0 tokens, expected at least 1");
  FindLogits();
  FindRoom();
}

void StateEngine::FindLogits() {
  const Description& description = driving_.description;
  std::vector<const Tensor*> found;
  for (const auto& [name, tensor] : description.tensors) {
    if (tensor.kind == Kind::kBuffer && tensor.role == Role::kLogits) found.push_back(&tensor);
  }
  if (found.size() != 1) {
    Fail("engine '" + description.engine + "' has " + std::to_string(found.size()) +
         " buffers of logits, expected the one that ids are chosen from");
  }
  const Tensor& logits = *found.front();
  logits_ = {logits.kind, logits.name, logits.dtype};
  // Whatever else the shape depends on, a row does not.
  vocabulary_ = logits.shape.back().Evaluate({{"ranks", driving_.ranks}});
  if (driving_.ranks > 1 && vocabulary_ != logits.shape.back().Evaluate({{"ranks", 1}})) {
    Fail("engine '" + description.engine + "' has " + logits.name +
         " in parts, expected whole rows on rank 0");
  }
}

void StateEngine::FindRoom() {
  const Description& description = driving_.description;
  room_ = description.context;
  if (!description.paging) return;
  const std::uint64_t pages = description.paging->page_count / MaxOf(description, "seqs");
  room_ = std::min(room_, pages * description.paging->page_tokens);
}

// Every rank is asked the same.
Result StateEngine::Ask(const Script& script) {
  const std::vector<Script> scripts(driving_.ranks, script);
  return side_.Run(scripts)[0].back();
}

Result StateEngine::AskRankZero(Script script) {
  std::vector<Script> scripts(driving_.ranks);
  scripts[0] = std::move(script);
  return side_.Run(scripts)[0].back();
}

std::vector<std::int32_t> StateEngine::Tokenize(const std::string& text, bool begins) {
  TokenQuestion question;
  question.text = text;
  question.flags = begins ? PARITY_ADD_SPECIAL : 0;
  Script script;
  script.Ask(std::move(question));
  const TokenAnswer answer = AskRankZero(std::move(script)).answer.value();
  if (!answer.offered) {
    Fail("the engine makes no ids of text (tokenize), expected a prompt of ids");
  }
  if (!answer.error.empty()) Fail("tokenize: " + answer.error);
  return answer.ids;
}

std::string StateEngine::TextOf(const std::vector<std::int32_t>& ids) {
  TokenQuestion question;
  question.call = TokenQuestion::Call::kDetokenize;
  question.ids = ids;
  Script script;
  script.Ask(std::move(question));
  const TokenAnswer answer = AskRankZero(std::move(script)).answer.value();
  return answer.texts.empty() ? "" : answer.texts.front();
}

const std::set<std::int32_t>& StateEngine::Ends() {
  if (ends_known_) return ends_;
  ends_known_ = true;
  TokenQuestion question;
  question.call = TokenQuestion::Call::kSpecialIds;
  Script script;
  script.Ask(std::move(question));
  const TokenAnswer answer = AskRankZero(std::move(script)).answer.value();
  for (std::size_t i = 0; i < std::min(answer.ids.size(), answer.texts.size()); ++i) {
    if (answer.texts[i] == "eos") ends_.insert(answer.ids[i]);
  }
  return ends_;
}

std::vector<float> StateEngine::Run(std::uint32_t slot, std::uint64_t past,
                                    const std::vector<std::int32_t>& tokens) {
  std::vector<float> logits;
  // A single token behind others is what decoding is.
  const std::string& program = tokens.size() == 1 && past != 0 ? decode_ : prefill_;
  for (std::uint64_t begin = 0; begin < tokens.size(); begin += chunk_) {
    const std::uint64_t count = std::min<std::uint64_t>(chunk_, tokens.size() - begin);
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(begin);
    logits = Step(slot, past + begin, program, {first, first + static_cast<std::ptrdiff_t>(count)});
  }
  return logits;
}

std::vector<float> StateEngine::Step(std::uint32_t slot, std::uint64_t past,
                                     const std::string& program,
                                     const std::vector<std::int32_t>& tokens) {
  WorkloadRun run;
  run.name = "slot" + std::to_string(slot) + "/" + program + "@" + std::to_string(past);
  run.program = program;
  run.sequences = {{slot, past, tokens}};
  const auto ops =
      static_cast<std::uint32_t>(driving_.description.FindProgram(program)->ops.size());
  Script script;
  script.Stage(StepFor(run, driving_.description, driving_.seed));
  script.RunWhole(program, ops);
  script.Bytes(logits_, Source::Live());
  const Result result = Ask(script);
  rows_ += tokens.size();
  ops_ += ops;
  return LastRow(logits_.dtype, result.bytes, vocabulary_);
}

void StateEngine::Reset() {
  Script script;
  script.Reset();
  Ask(script);
}

StateAnswer StateEngine::Save(std::uint32_t slot, const std::string& path) {
  Script script;
  script.SaveState(slot, path);
  return Ask(script).state.value();
}

StateAnswer StateEngine::Load(std::uint32_t slot, const std::string& path) {
  Script script;
  script.LoadState(slot, path);
  return Ask(script).state.value();
}

json StateEngine::Counters() {
  Script script;
  script.Counters();
  const std::string counters = AskRankZero(std::move(script)).words;
  return counters.empty() ? json::object() : json::parse(counters);
}

}  // namespace parity::kv
