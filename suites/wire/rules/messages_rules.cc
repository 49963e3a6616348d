// Messages, beyond what their machine sees.
#include <map>

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string EventAt(std::size_t index) { return "event " + std::to_string(index); }

// `visit(where, event)` for each event of a type.
template <typename Visit>
void EachOf(const AnswerView& answer, std::string_view type, Visit visit) {
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    if (TextIn(answer.events[i].data, "type") == type) visit(EventAt(i), answer.events[i].data);
  }
}

void CheckEventNames(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  const AnswerView& answer = subject.answer;
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const StreamEvent& event = answer.events[i];
    if (event.data.is_null()) continue;
    const std::string type = TextIn(event.data, "type");
    report.Expect(answer.sse.frames[event.frame].has_event && event.name == type, subject.name(),
                  EventAt(i), "event: " + event.name, type + ", its data's type");
  }
}

// The machine sees that one block is open; this sees which.
void CheckIndexes(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  std::int64_t closed = 0;
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& event = subject.answer.events[i].data;
    const std::string type = TextIn(event, "type");
    if (!type.starts_with("content_block_")) continue;
    report.Expect(PartOf(event, "index") == closed, subject.name(), EventAt(i),
                  type + " of index " + Shown(PartOf(event, "index")), std::to_string(closed));
    closed += type == "content_block_stop" ? 1 : 0;
  }
}

void CheckToolUse(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  std::map<std::int64_t, std::string> inputs;
  EachOf(answer, "content_block_start", [&](const std::string& where, const json& event) {
    const json& block = PartOf(event, "content_block");
    if (TextIn(block, "type") != "tool_use") return;
    inputs[CountIn(event, "index").value_or(0)];
    report.Expect(!TextIn(block, "id").empty() && !TextIn(block, "name").empty() &&
                      PartOf(block, "input") == json::object(),
                  subject.name(), where, Shown(block), "id, name and input {}");
  });
  EachOf(answer, "content_block_delta", [&](const std::string&, const json& event) {
    const auto input = inputs.find(CountIn(event, "index").value_or(0));
    if (input != inputs.end()) input->second += TextIn(PartOf(event, "delta"), "partial_json");
  });
  const bool cut = answer.answer.error || !subject.exchange.ended ||
                   answer.answer.choices.empty() ||
                   answer.answer.choices[0].finish == Finish::kLength;
  for (const auto& [index, input] : inputs) {
    report.Expect(cut || input.empty() || json::parse(input, nullptr, false).is_object(),
                  subject.name(), "block " + std::to_string(index), "input " + Shown(input),
                  "fragments that join to a JSON object");
  }
}

void CheckCumulative(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  std::int64_t most = 0;
  EachOf(subject.answer, "message_start", [&](const std::string&, const json& event) {
    const json& usage = PartOf(PartOf(event, "message"), "usage");
    most = CountIn(usage, "output_tokens").value_or(0);
  });
  EachOf(subject.answer, "message_delta", [&](const std::string& where, const json& event) {
    const auto output = CountIn(PartOf(event, "usage"), "output_tokens");
    if (!output) return;
    report.Expect(*output >= most, subject.name(), where, std::to_string(*output) + " tokens",
                  "at least " + std::to_string(most) + ", as told before");
    most = *output;
  });
}

void CheckStop(const std::string& where, const json& holder, const Subject& subject,
               Report& report) {
  const json& reason = PartOf(holder, "stop_reason");
  const json& text = PartOf(holder, "stop_sequence");
  report.Expect(Holds(holder, "stop_sequence") && !TextIn(holder, "stop_reason").empty(),
                subject.name(), where, Shown(holder), "both stop_reason and stop_sequence");
  if (!Holds(holder, "stop_sequence") || !reason.is_string()) return;
  report.Expect(text.is_string() == (reason == "stop_sequence"), subject.name(), where,
                "stop_reason " + Shown(reason) + ", stop_sequence " + Shown(text),
                "a text if and only if the reason is stop_sequence");
  const json& asked = PartOf(subject.answer.request->body, "stop_sequences");
  if (!text.is_string() || !asked.is_array()) return;
  bool known = false;
  for (const json& one : asked) known = known || one == text;
  report.Expect(known, subject.name(), where, "stop_sequence " + Shown(text),
                "one of " + Shown(asked));
}

void CheckStopFields(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  if (!answer.HasAnswer()) return;
  if (!answer.is_stream) return CheckStop("body", answer.body, subject, report);
  const json* last = nullptr;
  std::string at;
  EachOf(answer, "message_delta", [&](const std::string& where, const json& event) {
    last = &PartOf(event, "delta");
    at = where;
  });
  if (last != nullptr) CheckStop(at, *last, subject, report);
}

void CheckContent(const Subject& subject, Report& report) {
  if (!subject.answer.HasAnswer() || subject.answer.is_stream) return;
  report.Expect(PartOf(subject.answer.body, "content").is_array(), subject.name(), "body",
                "content " + Shown(PartOf(subject.answer.body, "content")), "a list of blocks");
}

// What a block of each type may be told.
bool Fits(const std::string& block, const std::string& delta) {
  if (block == "text") return delta == "text_delta" || delta == "citations_delta";
  if (block == "tool_use") return delta == "input_json_delta";
  if (block == "thinking") return delta == "thinking_delta" || delta == "signature_delta";
  return false;
}

void CheckKinds(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  std::string block, before;
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& event = subject.answer.events[i].data;
    const std::string type = TextIn(event, "type");
    if (type == "content_block_start") {
      block = TextIn(PartOf(event, "content_block"), "type");
      before.clear();
    }
    if (type != "content_block_delta") continue;
    const std::string delta = TextIn(PartOf(event, "delta"), "type");
    report.Expect(block.empty() || Fits(block, delta), subject.name(), EventAt(i), delta,
                  "a delta of a " + block + " block");
    report.Expect(before != "signature_delta", subject.name(), EventAt(i),
                  delta + " after signature_delta", "the signature just before the block's end");
    before = delta;
  }
}

constexpr Rule kRules[] = {
    {"A-01", Layer::kCore, kMessagesOnly, "a stream", "event: is the data's type, and no [DONE]",
     CheckEventNames},
    {"A-02", Layer::kCore, kMessagesOnly, "a stream", "one block at a time, by its index",
     CheckIndexes},
    {"A-03", Layer::kCore, kMessagesOnly, "a stream", "tool input joins to an object",
     CheckToolUse},
    {"A-04", Layer::kCore, kMessagesOnly, "a stream", "output_tokens is cumulative",
     CheckCumulative},
    {"A-05", Layer::kCore, kMessagesOnly, "", "stop_sequence is the string that matched, or null",
     CheckStopFields},
    {"A-06", Layer::kCore, kMessagesOnly, "", "content is never missing", CheckContent},
    {"W-19", Layer::kCore, kMessagesOnly, "a stream", "the machine of Messages accepts it",
     CheckKinds},
};

}  // namespace

std::span<const Rule> MessagesRules() { return kRules; }

}  // namespace parity::wire
