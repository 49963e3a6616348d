// S-01 to S-12: the lines of a stream.
#include <utf8.h>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_text.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string EventAt(std::size_t index) { return "event " + std::to_string(index); }
std::string ByteAt(std::size_t offset) { return "byte " + std::to_string(offset); }

bool IsUtf8(const std::string& text) { return utf8::is_valid(text.begin(), text.end()); }

// A text that is cut inside a code point, in every way that a writer may mend or spell it.
std::string DamageOf(const std::string& text) {
  if (!IsUtf8(text)) return "bytes that are no UTF-8";
  if (text.find(kReplacement) != std::string::npos) return "U+FFFD";
  return HasLoneSurrogate(text) ? "half of a surrogate pair" : "";
}

void CheckUtf8(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  if (answer.response == nullptr) return;
  const auto check = [&](const std::string& where, const std::string& text) {
    const std::string damage = DamageOf(text);
    report.Expect(damage.empty(), subject.name(), where, damage, "whole code points");
  };
  if (!answer.is_stream) return check("body", answer.response->body);
  for (std::size_t i = 0; i < answer.sse.frames.size(); ++i) {
    check(EventAt(i), answer.sse.frames[i].data);
  }
}

void CheckMark(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  report.Look();
  for (const SseLine& line : subject.answer.sse.unknown) {
    if (!line.text.starts_with(kByteOrderMark)) continue;
    report.Add(subject.name(), ByteAt(line.at), "a byte order mark", "one at the start alone");
  }
}

void CheckFields(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  report.Look();
  for (const SseLine& line : subject.answer.sse.unknown) {
    if (line.text.starts_with(kByteOrderMark)) continue;
    report.Add(subject.name(), ByteAt(line.at), Quoted(line.text), "a field that clients read");
  }
}

void CheckComments(const Subject& subject, Report& report) {
  for (const SseLine& line : subject.answer.sse.comments) {
    report.Expect(!line.inside_event, subject.name(), ByteAt(line.at),
                  "comment " + Quoted(line.text) + " inside an event", "between events");
  }
}

bool IsJson(const std::string& text) { return !EndsEarly(text) && nlohmann::json::accept(text); }

void CheckJoined(const Subject& subject, Report& report) {
  const std::vector<SseFrame>& frames = subject.answer.sse.frames;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].data_lines < 2) continue;
    report.Expect(IsJson(frames[i].data), subject.name(), EventAt(i),
                  std::to_string(frames[i].data_lines) + " data lines that join to no JSON",
                  "JSON once they are joined by newlines");
  }
}

void CheckDispatched(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  report.Look();
  for (const SseFrame& frame : subject.answer.sse.without_data) {
    report.Add(subject.name(), ByteAt(frame.begin),
               "event " + Quoted(frame.event) + " without data", "data: clients drop it");
  }
  for (const SseLine& line : subject.answer.sse.ids) {
    report.Add(subject.name(), ByteAt(line.at), Quoted(line.text),
               "no id: a common client dispatches comments after one");
  }
}

void CheckCut(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream || !subject.exchange.ended) return;
  const auto& cut = subject.answer.sse.cut;
  report.Expect(!cut, subject.name(), cut ? ByteAt(cut->begin) : "",
                cut ? "an event without its blank line: " + Quoted(cut->data) : "",
                "a blank line: clients drop the event");
}

void CheckData(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const SseFrame& frame = answer.sse.frames[i];
    // Those that other rules tell of.
    if (answer.events[i].is_done || !DamageOf(frame.data).empty()) continue;
    if (frame.data_lines > 1 && !IsJson(frame.data)) continue;
    report.Expect(!answer.events[i].data.is_null(), subject.name(), EventAt(i), Quoted(frame.data),
                  "one JSON object");
    if (answer.events[i].data.is_null()) continue;
    for (const DuplicateKey& twice : FindDuplicateKeys(frame.data)) {
      report.Add(subject.name(), EventAt(i), "key " + Quoted(twice.key) + " twice", "once");
    }
  }
}

// Where the line `event:` says something else than the data.
void CheckNames(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  const bool responses = answer.request->surface == Surface::kResponses;
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const StreamEvent& event = answer.events[i];
    if (!answer.sse.frames[event.frame].has_event || event.data.is_null()) continue;
    const bool is_error = event.name == "error" && Holds(event.data, "error");
    const std::string type = responses ? TextIn(event.data, "type") : "";
    report.Expect(responses ? event.name == type : is_error, subject.name(), EventAt(i),
                  "event: " + event.name,
                  responses ? "its data's type, " + type : "none but error on this surface");
  }
}

bool IsTerminal(Surface surface, const StreamEvent& event) {
  const std::string type = TextIn(event.data, "type");
  if (surface == Surface::kMessages) return type == "message_stop" || type == "error";
  if (surface == Surface::kResponses) {
    return type == "response.completed" || type == "response.incomplete" ||
           type == "response.failed";
  }
  return event.is_done;
}

// What the machine does not see, as it is no event that it knows.
void CheckBehindEnd(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  const AnswerView& answer = subject.answer;
  bool over = false;
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const StreamEvent& event = answer.events[i];
    if (over && event.data.is_null() && !event.is_done) {
      report.Add(subject.name(), EventAt(i), "data behind the end", "comments alone");
    }
    over = over || IsTerminal(answer.request->surface, event);
  }
}

// The first event of a long answer comes while the rest is still made.
void CheckFlush(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  if (!answer.is_stream || !subject.meta().timed || subject.meta().probe != "long_answer") return;
  const auto at = [&](const SseFrame& frame) {
    return subject.meta().ReceivedAt(answer.response->WireOffset(frame.end - 1));
  };
  if (answer.sse.frames.size() < 3) return;
  // The first may say no more than that there will be an answer.
  const std::size_t count = answer.sse.frames.size();
  const std::int64_t middle = at(answer.sse.frames[count / 2]), last = at(answer.sse.frames.back());
  report.Expect(middle < last, subject.name(), "",
                std::to_string(count) + " events in one burst at " + std::to_string(last) + " us",
                "half of them before the last is made");
}

constexpr Rule kRules[] = {
    {"S-01", Layer::kCore, kGenerating, "", "a code point is never split between events",
     CheckUtf8},
    {"S-02", Layer::kCore, kGenerating, "a stream", "a byte order mark at the start alone",
     CheckMark},
    {"S-03", Layer::kCore, kGenerating, "a stream", "no field that clients ignore", CheckFields},
    {"S-04", Layer::kCore, kGenerating, "a stream", "comments between events", CheckComments},
    {"S-05", Layer::kCore, kGenerating, "a stream", "data lines join to JSON", CheckJoined},
    {"S-06", Layer::kCore, kGenerating, "a stream", "every event has data, and no id",
     CheckDispatched},
    {"S-07", Layer::kCore, kGenerating, "a stream", "the last event has its blank line", CheckCut},
    {"S-08", Layer::kCore, kGenerating, "a stream", "data is one JSON object, or [DONE]",
     CheckData},
    {"S-09", Layer::kCore, kChunked | kResponsesOnly, "a stream",
     "a line event: says what the data is", CheckNames},
    {"S-10", Layer::kCore, kChunked | kResponsesOnly, "a stream", "one [DONE], at the end",
     CheckMachine},
    {"S-11", Layer::kCore, kGenerating, "a stream", "nothing but comments behind the end",
     CheckBehindEnd},
    {"S-12", Layer::kCore, kGenerating, "probe long_answer, times",
     "events are sent as they are made", CheckFlush},
};

}  // namespace

std::span<const Rule> SseRules() { return kRules; }

}  // namespace parity::wire
