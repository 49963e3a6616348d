// C-01 to C-09, P-02: chat and completions, beyond what their machine sees.
#include <map>
#include <set>

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/each_choice.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string EventAt(std::size_t index) { return "event " + std::to_string(index); }

bool IsChunk(const json& data) { return Holds(data, "choices"); }

void ExpectAsInFirst(const char* key, const json& chunk, const json& first,
                     const std::string& exchange, const std::string& where, Report& report) {
  report.Expect(PartOf(chunk, key) == PartOf(first, key), exchange, where,
                std::string(key) + " " + Shown(PartOf(chunk, key)),
                Shown(PartOf(first, key)) + ", as in the first chunk");
}

void CheckConstant(const Subject& subject, Report& report) {
  const json* first = nullptr;
  const bool chat = subject.answer.request->surface == Surface::kChat;
  const std::string object = chat ? "chat.completion.chunk" : "text_completion";
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& chunk = subject.answer.events[i].data;
    if (!IsChunk(chunk)) continue;
    if (first == nullptr) first = &chunk;
    report.Expect(TextIn(chunk, "object") == object, subject.name(), EventAt(i),
                  "object " + Shown(PartOf(chunk, "object")), object);
    for (const char* key : {"id", "model"}) {
      ExpectAsInFirst(key, chunk, *first, subject.name(), EventAt(i), report);
    }
  }
}

void CheckCreated(const Subject& subject, Report& report) {
  const json* first = nullptr;
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& chunk = subject.answer.events[i].data;
    if (!IsChunk(chunk)) continue;
    if (first == nullptr) first = &chunk;
    ExpectAsInFirst("created", chunk, *first, subject.name(), EventAt(i), report);
  }
}

void CheckRole(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    const json& delta = PartOf(choice, "delta");
    if (!Holds(delta, "role")) return;
    report.Expect(!TextIn(delta, "role").empty(), subject.name(), where,
                  "role " + Shown(PartOf(delta, "role")), "a role, or no key");
  });
}

void CheckFinish(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  if (!subject.answer.is_stream) return;
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    const json& reason = PartOf(choice, "finish_reason");
    // NOLINTNEXTLINE(readability-container-size-empty): a text, which `empty` does not ask
    report.Expect(Holds(choice, "finish_reason") && reason != "", subject.name(), where,
                  Holds(choice, "finish_reason") ? "finish_reason \"\"" : "no finish_reason",
                  "null until the last chunk");
  });
}

void CheckFinishChunk(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    if (TextIn(choice, "finish_reason").empty()) return;
    const json& delta = PartOf(choice, "delta");
    const json& calls = PartOf(delta, "tool_calls");
    report.Expect(TextIn(delta, "content").empty() && TextIn(choice, "text").empty() &&
                      TextIn(delta, "reasoning_content").empty() &&
                      (!calls.is_array() || calls.empty()),
                  subject.name(), where, Shown(delta.is_null() ? choice : delta),
                  "a last chunk without text");
  });
}

// Nothing where the request is not known.
std::optional<bool> AsksForUsage(const Request& request) {
  if (!request.body.is_object()) return std::nullopt;
  return PartOf(PartOf(request.body, "stream_options"), "include_usage") == true;
}

void CheckUsageChunk(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  const AnswerView& answer = subject.answer;
  const auto asked = AsksForUsage(*answer.request);
  if (!answer.is_stream || !asked) return;
  std::size_t told = 0;
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const json& chunk = answer.events[i].data;
    if (!PartOf(chunk, "usage").is_object()) continue;
    const json& choices = PartOf(chunk, "choices");
    const bool own = choices.is_array() && choices.empty();
    told += own ? 1 : 0;
    report.Expect(own, subject.name(), EventAt(i), "usage beside a choice",
                  "a chunk of its own, with no choices");
  }
  // The machine tells of a second one.
  if (answer.answer.error || !subject.exchange.ended || told > 1) return;
  if (!answer.no_beginning().empty()) return report.Follow(subject.name(), answer.no_beginning());
  report.Expect((told == 1) == *asked, subject.name(), "", std::to_string(told) + " usage chunks",
                *asked ? "1, as asked" : "none, not asked");
}

std::int64_t PromptsOf(const json& body) {
  const json& prompt = PartOf(body, "prompt");
  if (!prompt.is_array() || prompt.empty() || prompt[0].is_number()) return 1;
  return static_cast<std::int64_t>(prompt.size());
}

// No server is asked for more; a request that tries it is refused.
constexpr std::int64_t kMostChoices = 1024;

void CheckIndexes(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  if (!answer.HasAnswer() || !answer.request->body.is_object() || !subject.exchange.ended) return;
  const json& body = answer.request->body;
  const std::int64_t prompts = PromptsOf(body), n = CountIn(body, "n").value_or(1);
  // The product of both is the rule P-02.
  if ((prompts > 1) != (report.rule() == "P-02") || n < 1 || n > kMostChoices) return;
  std::set<std::int64_t> wanted, got;
  for (std::int64_t i = 0; i < prompts * n; ++i) wanted.insert(i);
  EachChoice(answer, [&](const std::string&, const json&, const json& choice) {
    got.insert(CountIn(choice, "index").value_or(-1));
  });
  if (!answer.no_beginning().empty()) return report.Follow(subject.name(), answer.no_beginning());
  report.Expect(got == wanted, subject.name(), "", "indexes " + json(got).dump(),
                json(wanted).dump());
}

// What the deltas of one call came to so far.
struct OpenCall {
  std::string id, arguments;
};

class CallDeltas {
 public:
  CallDeltas(const Subject& subject, Report& report) : subject_(subject), report_(report) {}

  void Take(const std::string& where, const json& delta) {
    const auto index = CountIn(delta, "index");
    Expect(index.has_value(), where, "a call without index", "its index");
    if (!index) return;
    const json& function = PartOf(delta, "function");
    const auto [call, fresh] = calls_.try_emplace(*index);
    if (fresh) {
      Begin(where, delta, *index, &call->second);
    } else {
      Expect(TextIn(function, "name").empty(), where, "name " + TextIn(function, "name"),
             "a name in the first delta alone");
      Expect(TextIn(delta, "id").empty() || TextIn(delta, "id") == call->second.id, where,
             "id " + TextIn(delta, "id"), call->second.id);
    }
    if (!fresh || Holds(function, "arguments")) {
      Expect(PartOf(function, "arguments").is_string(), where,
             "arguments " + Shown(PartOf(function, "arguments")), "a text");
    }
    call->second.arguments += TextIn(function, "arguments");
  }

  // Arguments that the limit cut need not join.
  void End(bool cut) {
    for (const auto& [index, call] : calls_) {
      const bool whole = json::parse(call.arguments, nullptr, false).is_object();
      Expect(cut || whole, "call " + std::to_string(index), "arguments " + Shown(call.arguments),
             "fragments that join to a JSON object");
    }
  }

 private:
  void Begin(const std::string& where, const json& delta, std::int64_t index, OpenCall* call) {
    call->id = TextIn(delta, "id");
    Expect(index + 1 == static_cast<std::int64_t>(calls_.size()), where,
           "index " + std::to_string(index), std::to_string(calls_.size() - 1));
    Expect(TextIn(delta, "type") == "function", where, "type " + Shown(PartOf(delta, "type")),
           "function");
    Expect(!call->id.empty() && ids_.insert(call->id).second, where, "id " + call->id,
           "an id of its own");
    Expect(!TextIn(PartOf(delta, "function"), "name").empty(), where, "no name",
           "the function's name");
  }

  void Expect(bool holds, const std::string& where, std::string got, std::string expected) {
    report_.Expect(holds, subject_.name(), where, std::move(got), std::move(expected));
  }

  const Subject& subject_;
  Report& report_;
  std::map<std::int64_t, OpenCall> calls_;
  std::set<std::string> ids_;
};

void CheckCallDeltas(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  std::map<std::int64_t, CallDeltas> choices;
  std::set<std::int64_t> cut;
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    const std::int64_t index = CountIn(choice, "index").value_or(0);
    if (TextIn(choice, "finish_reason") == "length") cut.insert(index);
    const json& calls = PartOf(PartOf(choice, "delta"), "tool_calls");
    if (!calls.is_array()) return;
    CallDeltas& deltas = choices.try_emplace(index, subject, report).first->second;
    for (const json& call : calls) deltas.Take(where, call);
  });
  const bool broken_off = !subject.exchange.ended || subject.answer.answer.error;
  for (auto& [index, deltas] : choices) deltas.End(broken_off || cut.contains(index));
}

// Chat's deltas on this surface: a client of completions reads none of them.
void CheckNoDelta(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    report.Expect(!Holds(choice, "delta") && !Holds(choice, "message"), subject.name(), where,
                  "a delta or message", "text");
  });
}

bool ForcesOneTool(const json& body) { return PartOf(body, "tool_choice").is_object(); }

void CheckCallsFinish(const Subject& subject, Report& report) {
  if (!subject.answer.HasAnswer()) return;
  for (const Choice& choice : subject.answer.answer.choices) {
    if (choice.finish == Finish::kNone) continue;
    const bool calls = !choice.calls.empty();
    // A named function may end as any other text: not even the public servers agree.
    const bool stop = choice.finish == Finish::kStop && ForcesOneTool(subject.answer.request->body);
    report.Expect(
        calls == (choice.finish == Finish::kToolCalls) || stop || choice.finish == Finish::kLength,
        subject.name(), "finish_reason",
        choice.reason + " with " + std::to_string(choice.calls.size()) + " calls",
        calls ? "tool_calls" : "a call");
    if (choice.finish != Finish::kToolCalls || subject.answer.is_stream) continue;
    for (const ToolCall& call : choice.calls) {
      report.Expect(!call.Canonical().empty(), subject.name(), "tool_calls",
                    "arguments " + Shown(call.arguments), "a JSON object");
    }
  }
}

constexpr Rule kRules[] = {
    {"C-01", Layer::kCore, kChunked, "a stream", "object, id and model stay the same",
     CheckConstant},
    {"C-01.created", Layer::kCore, kChunked, "a stream", "created stays the same", CheckCreated,
     Basis::kSide},
    {"C-02", Layer::kCore, kChatOnly, "a stream", "the role comes first, once", CheckRole},
    {"C-03", Layer::kCore, kChunked, "a stream", "one finish_reason for each choice, at its end",
     CheckFinish},
    {"C-04", Layer::kProfile, kChunked, "a stream", "the last chunk adds no text",
     CheckFinishChunk},
    {"C-05", Layer::kCore, kChunked, "a stream", "one usage chunk where it was asked for",
     CheckUsageChunk},
    {"C-06", Layer::kCore, kChunked, "the request's body", "choices 0 to n-1 all appear",
     CheckIndexes},
    {"C-08", Layer::kCore, kChatOnly, "a stream", "tool deltas join to whole calls",
     CheckCallDeltas},
    {"C-09", Layer::kCore, kChatOnly, "", "tool_calls is the finish where there are calls",
     CheckCallsFinish},
    {"P-02", Layer::kCore, kCompletionsOnly, "several prompts", "an index for each prompt and n",
     CheckIndexes},
    {"W-17", Layer::kCore, kChatOnly, "a stream", "the machine of chat accepts it", CheckMachine},
    {"W-18", Layer::kCore, kCompletionsOnly, "a stream", "the machine of completions accepts it",
     CheckNoDelta},
};

}  // namespace

std::span<const Rule> ChunkRules() { return kRules; }

}  // namespace parity::wire
