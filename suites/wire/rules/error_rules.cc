// A-08, E-01 to E-03, E-06, L-08: errors.
#include <array>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"
#include "suites/wire/schemas/schemas.h"

namespace parity::wire {
namespace {

using nlohmann::json;

bool IsError(const AnswerView& answer) { return answer.status() >= 400; }

void ExpectEnvelope(const Subject& subject, const std::string& schema, const std::string& where,
                    const json& value, Report& report) {
  report.Look();
  for (const SchemaError& error : Validate(SchemaSet::kCore, schema, value)) {
    report.Add(subject.name(), where + " " + error.pointer, Shown(value),
               schema + ": " + error.words);
    return;
  }
}

void CheckEnvelope(const Subject& subject, Report& report) {
  const bool messages = subject.answer.request->surface == Surface::kMessages;
  if (messages != (report.rule() == "A-08")) return;
  const std::string schema = messages ? "error.messages" : "error.openai";
  // A body that is no JSON is told by another rule.
  if (IsError(subject.answer) && !subject.answer.body.is_null()) {
    ExpectEnvelope(subject, schema, "body", subject.answer.body, report);
  } else if (subject.answer.IsOk() && !subject.answer.is_stream) {
    report.Expect(!subject.answer.answer.error, subject.name(), "body",
                  "status 200 with " + Shown(subject.answer.body), "status 400 or above");
  }
  if (subject.answer.request->surface == Surface::kResponses) return;
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& data = subject.answer.events[i].data;
    if (!Holds(data, "error")) continue;
    ExpectEnvelope(subject, schema, "event " + std::to_string(i), data, report);
  }
}

void CheckCode(const Subject& subject, Report& report) {
  const auto check = [&](const std::string& where, const json& value) {
    const json& error = PartOf(value, "error").is_object() ? PartOf(value, "error") : value;
    const json& code = PartOf(error, "code");
    report.Expect(code.is_string() || code.is_null(), subject.name(), where, "code " + Shown(code),
                  "a text or null");
  };
  if (IsError(subject.answer) && subject.answer.body.is_object())
    check("body", subject.answer.body);
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& data = subject.answer.events[i].data;
    if (Holds(data, "error") || TextIn(data, "type") == "error") {
      check("event " + std::to_string(i), data);
    }
  }
}

// What is known before the first token is a status, unless keep-alives went out before.
void CheckEarly(const Subject& subject, Report& report) {
  const AnswerView& answer = subject.answer;
  if (!answer.is_stream || !answer.IsOk() || answer.events.empty()) return;
  const json& first = answer.events[0].data;
  const bool kept_alive = !answer.sse.comments.empty();
  report.Expect(kept_alive || !(Holds(first, "error") || TextIn(first, "type") == "error"),
                subject.name(), "event 0", Shown(first), "a status of 400 or above");
}

// Traces of what only the server's owner should see.
constexpr std::array<std::string_view, 12> kLeaks = {
    "Traceback", "panicked at", "stack backtrace", "/home/", "/root/",   "/usr/", "/tmp/",
    "/build/",   ".cc:",        ".cpp:",           ".rs:",   "\n    at "};

void CheckLeaks(const Subject& subject, Report& report) {
  const auto& error = subject.answer.answer.error;
  if (!error) return;
  report.Look();
  const std::string& marker = subject.meta().marker;
  for (const std::string_view leak : kLeaks) {
    if (error->message.find(leak) == std::string::npos) continue;
    report.Add(subject.name(), "message", Quoted(error->message),
               "nothing of the server's insides: " + Quoted(std::string(leak)));
  }
  if (!marker.empty() && error->message.find(marker) != std::string::npos) {
    report.Add(subject.name(), "message", Quoted(error->message), "nothing of the prompt");
  }
}

// A reason outside the public set, and success after an error, both read as an answer.
void CheckSuccess(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  if (!subject.answer.is_stream || subject.answer.answer.error) return;
  for (const Choice& choice : subject.answer.answer.choices) {
    report.Expect(
        choice.finish != Finish::kError || subject.answer.request->surface == Surface::kResponses,
        subject.name(), "finish", Quoted(choice.reason), "an error event");
  }
}

constexpr Rule kRules[] = {
    {"A-08", Layer::kCore, kMessagesOnly, "an error", "errors have the envelope of Messages",
     CheckEnvelope},
    {"E-01", Layer::kCore, kAll & ~kMessagesOnly, "an error",
     "errors have a status and the envelope of OpenAI", CheckEnvelope},
    {"E-02", Layer::kCore, kAll, "an error", "a code is a text or null", CheckCode},
    {"E-03", Layer::kCore, kGenerating, "a stream", "early errors are a status, not a stream",
     CheckEarly},
    {"E-06", Layer::kCore, kAll, "an error", "no path, trace or prompt in a message", CheckLeaks},
    {"L-08", Layer::kCore, kGenerating, "a stream", "an error never looks like success",
     CheckSuccess},
};

}  // namespace

std::span<const Rule> ErrorRules() { return kRules; }

}  // namespace parity::wire
