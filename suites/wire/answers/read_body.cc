#include "suites/wire/answers/error_of.h"
#include "suites/wire/answers/finish.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/answers/usage.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string ReasoningIn(const json& message) {
  const std::string text = TextIn(message, "reasoning_content");
  return text.empty() ? TextIn(message, "reasoning") : text;
}

Choice OfChoice(const json& choice) {
  Choice of;
  const json& message = PartOf(choice, "message");
  of.text = message.is_object() ? TextIn(message, "content") : TextIn(choice, "text");
  of.reasoning = ReasoningIn(message);
  of.refusal = TextIn(message, "refusal");
  const json& calls = PartOf(message, "tool_calls");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const json& function = PartOf(ElementOf(calls, i), "function");
    of.calls.push_back({TextIn(ElementOf(calls, i), "id"), TextIn(function, "name"),
                        TextIn(function, "arguments")});
  }
  of.reason = TextIn(choice, "finish_reason");
  of.finish = FinishOfReason(of.reason);
  return of;
}

void ReadMessages(const json& body, Answer& answer) {
  Choice of;
  const json& content = PartOf(body, "content");
  for (std::size_t i = 0; i < content.size(); ++i) {
    const json& block = ElementOf(content, i);
    const std::string type = TextIn(block, "type");
    if (type == "text") of.text += TextIn(block, "text");
    if (type == "thinking") of.reasoning += TextIn(block, "thinking");
    if (type == "tool_use") {
      of.calls.push_back(
          {TextIn(block, "id"), TextIn(block, "name"), PartOf(block, "input").dump()});
    }
  }
  of.reason = TextIn(body, "stop_reason");
  of.finish = FinishOfStopReason(of.reason);
  answer.stop_string = TextIn(body, "stop_sequence");
  answer.choices = {of};
}

std::string TextsIn(const json& parts, const char* key) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += TextIn(ElementOf(parts, i), key);
  return text;
}

void ReadItem(const json& item, Choice& of) {
  const std::string type = TextIn(item, "type");
  if (type == "message") {
    of.text += TextsIn(PartOf(item, "content"), "text");
    of.refusal += TextsIn(PartOf(item, "content"), "refusal");
  } else if (type == "reasoning") {
    of.reasoning +=
        TextsIn(PartOf(item, "summary"), "text") + TextsIn(PartOf(item, "content"), "text");
  } else if (type == "function_call") {
    of.calls.push_back({TextIn(item, "call_id"), TextIn(item, "name"), TextIn(item, "arguments")});
  }
}

void ReadResponses(const json& body, Answer& answer) {
  Choice of;
  const json& output = PartOf(body, "output");
  for (std::size_t i = 0; i < output.size(); ++i) ReadItem(ElementOf(output, i), of);
  of.reason = TextIn(body, "status");
  of.finish = FinishOfStatus(of.reason, TextIn(PartOf(body, "incomplete_details"), "reason"),
                             !of.calls.empty());
  answer.choices = {of};
}

}  // namespace

Answer AnswerOfBody(Surface surface, const json& body) {
  Answer answer;
  answer.error = AnswerErrorOf(body);
  if (answer.error) return answer;
  answer.id = TextIn(body, "id");
  answer.model = TextIn(body, "model");
  const bool responses = surface == Surface::kResponses;
  answer.created = CountIn(body, responses ? "created_at" : "created");
  answer.usage = UsageOf(surface, PartOf(body, "usage"));
  if (surface == Surface::kMessages) {
    ReadMessages(body, answer);
  } else if (responses) {
    ReadResponses(body, answer);
  } else {
    const json& choices = PartOf(body, "choices");
    for (std::size_t i = 0; i < choices.size(); ++i) {
      answer.choices.push_back(OfChoice(ElementOf(choices, i)));
    }
  }
  return answer;
}

}  // namespace parity::wire
