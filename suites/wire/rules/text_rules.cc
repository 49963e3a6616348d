// C-10 to C-12, P-01, P-04: what the text of an answer may be.
#include <algorithm>
#include <map>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/each_choice.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

void CheckMarkup(const Subject& subject, Report& report) {
  if (!subject.answer.HasAnswer()) return;
  for (const Choice& choice : subject.answer.answer.choices) {
    for (const auto& [what, text] :
         {std::pair{"text", &choice.text}, std::pair{"reasoning", &choice.reasoning}}) {
      report.Look();
      for (const std::string& mark : report.options().markup) {
        const std::size_t at = text->find(mark);
        if (at == std::string::npos) continue;
        report.Add(subject.name(), what, Quoted(text->substr(at, 40)),
                   "none of the model's markup");
        break;
      }
    }
  }
}

std::vector<std::string> StopStringsOf(const Request& request) {
  const bool messages = request.surface == Surface::kMessages;
  const json& stop = PartOf(request.body, messages ? "stop_sequences" : "stop");
  std::vector<std::string> strings;
  if (stop.is_string()) strings = {stop.get<std::string>()};
  for (std::size_t i = 0; stop.is_array() && i < stop.size(); ++i) {
    if (stop[i].is_string()) strings.push_back(stop[i].get<std::string>());
  }
  std::erase(strings, "");
  return strings;
}

// Against the same answer without stop strings: its text up to the first that is in it.
void CheckCut(const Subject& subject, const std::vector<std::string>& stops, Report& report) {
  const ExchangeView* whole = subject.side.Find(subject.meta().cut_of);
  if (whole == nullptr || !whole->answers[0].HasAnswer()) return;
  const std::vector<Choice>& full = whole->answers[0].answer.choices;
  const std::vector<Choice>& cut = subject.answer.answer.choices;
  if (full.empty() || cut.empty()) return;
  std::size_t end = std::string::npos;
  for (const std::string& stop : stops) end = std::min(end, full[0].text.find(stop));
  const std::string expected = full[0].text.substr(0, end);
  report.Expect(cut[0].text == expected, subject.name(), "text", Quoted(cut[0].text),
                Quoted(expected) + ", up to the stop string");
  const bool stopped = cut[0].finish == Finish::kStop || cut[0].finish == Finish::kStopString;
  report.Expect(end == std::string::npos || stopped, subject.name(), "finish", cut[0].reason,
                "stop, as a stop string matched");
}

void CheckStops(const Subject& subject, Report& report) {
  const std::vector<std::string> stops = StopStringsOf(*subject.answer.request);
  if (stops.empty() || !subject.answer.HasAnswer()) return;
  // An echoed prompt may hold what generation stops at.
  const json& body = subject.answer.request->body;
  const std::size_t from = PartOf(body, "echo") == true ? TextIn(body, "prompt").size() : 0;
  for (const Choice& choice : subject.answer.answer.choices) {
    for (const std::string& stop : stops) {
      const std::size_t at = choice.text.find(stop, from);
      report.Expect(at == std::string::npos, subject.name(), "text",
                    "stop string " + Quoted(stop) + " at byte " + std::to_string(at), "none of it");
    }
  }
  CheckCut(subject, stops, report);
}

bool IsLogprob(const json& value) { return value.is_number() && value.get<double>() <= 0; }

void CheckTop(const std::string& where, const json& token, std::int64_t top, const Subject& subject,
              Report& report) {
  const json& list = PartOf(token, "top_logprobs");
  report.Expect(list.is_array() && static_cast<std::int64_t>(list.size()) == top, subject.name(),
                where, std::to_string(list.size()) + " top_logprobs", std::to_string(top));
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    const json &one = PartOf(list[i], "logprob"), &next = PartOf(list[i + 1], "logprob");
    report.Expect(one.is_number() && next.is_number() && one.get<double>() >= next.get<double>(),
                  subject.name(), where, "top_logprobs " + Shown(one) + " before " + Shown(next),
                  "descending");
  }
}

void CheckChatLogprobs(const Subject& subject, Report& report) {
  const json& body = subject.answer.request->body;
  if (PartOf(body, "logprobs") != true || !subject.answer.HasAnswer()) return;
  std::map<std::int64_t, std::string> bytes, texts;
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    const std::int64_t index = CountIn(choice, "index").value_or(0);
    const json& message =
        Holds(choice, "delta") ? PartOf(choice, "delta") : PartOf(choice, "message");
    texts[index] += TextIn(message, "content");
    const json& tokens = PartOf(PartOf(choice, "logprobs"), "content");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const json& token = ElementOf(tokens, i);
      report.Expect(IsLogprob(PartOf(token, "logprob")), subject.name(), where,
                    "logprob " + Shown(PartOf(token, "logprob")), "a number up to 0");
      CheckTop(where, token, CountIn(body, "top_logprobs").value_or(0), subject, report);
      for (const json& byte : PartOf(token, "bytes")) {
        if (byte.is_number_unsigned()) bytes[index] += static_cast<char>(byte.get<unsigned>());
      }
    }
  });
  for (const auto& [index, text] : texts) {
    report.Expect(bytes[index] == text, subject.name(), "choice " + std::to_string(index),
                  "bytes of tokens " + Quoted(bytes[index]), Quoted(text) + ", the content");
  }
}

std::string PromptOf(const json& body) { return TextIn(body, "prompt"); }

void CheckEcho(const Subject& subject, Report& report) {
  const json& body = subject.answer.request->body;
  if (PartOf(body, "echo") != true || !subject.answer.HasAnswer()) return;
  for (const Choice& choice : subject.answer.answer.choices) {
    report.Expect(choice.text.starts_with(PromptOf(body)), subject.name(), "text",
                  Quoted(choice.text), "the prompt first, as echo asks");
  }
}

void CheckOffsets(const Subject& subject, Report& report) {
  EachChoice(subject.answer, [&](const std::string& where, const json&, const json& choice) {
    const json& logprobs = PartOf(choice, "logprobs");
    const json& offsets = PartOf(logprobs, "text_offset");
    if (!offsets.is_array()) return;
    const std::size_t tokens = PartOf(logprobs, "tokens").size();
    report.Expect(
        offsets.size() == tokens && PartOf(logprobs, "token_logprobs").size() == tokens,
        subject.name(), where,
        std::to_string(offsets.size()) + " offsets, " + std::to_string(tokens) + " tokens",
        "lists of one length");
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const bool grows =
          offsets[i].is_number_unsigned() && (i == 0 || offsets[i] >= offsets[i - 1]);
      // A stream's offsets count from the start of the whole text.
      const bool inside = subject.answer.is_stream || offsets[i] <= TextIn(choice, "text").size();
      report.Expect(grows && inside, subject.name(), where,
                    "text_offset " + Shown(offsets[i]) + " of token " + std::to_string(i),
                    "ascending, inside the text");
    }
  });
}

constexpr Rule kRules[] = {
    {"C-10", Layer::kCore, kGenerating, "", "the model's markup never shows", CheckMarkup},
    {"C-11", Layer::kCore, kChunked | kMessagesOnly, "stop strings in the request's body",
     "nothing of a stop string, nor what follows it", CheckStops},
    {"C-12", Layer::kCore, kChatOnly, "logprobs in the request's body",
     "logprobs belong to the tokens of the content", CheckChatLogprobs},
    {"P-01", Layer::kCore, kCompletionsOnly, "echo in the request's body",
     "echo puts the prompt first", CheckEcho},
    {"P-04", Layer::kCore, kCompletionsOnly, "logprobs in the answer",
     "offsets ascend inside the text", CheckOffsets},
};

}  // namespace

std::span<const Rule> TextRules() { return kRules; }

}  // namespace parity::wire
