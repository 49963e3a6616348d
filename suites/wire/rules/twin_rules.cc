// Exchanges that ask the same thing: whatever way it is asked, the answer is the same.
#include <algorithm>
#include <array>
#include <cctype>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

// What differs on purpose between an exchange and the one that it is `same_as`, and whose rule that
// must make no difference is.
struct Variant {
  std::string_view probe, rule;
};

constexpr std::array<Variant, 12> kVariants = {{
    {"chunked_request", "H-01"},
    {"length_and_chunked", "H-02"},
    {"dribbled", "H-03"},
    {"expect_continue", "H-04"},
    {"bare_line_feeds", "H-05"},
    {"header_case", "H-05"},
    {"query", "H-12"},
    {"accepts_gzip", "H-08.coding"},
    {"half_close", "L-03"},
    {"slow_reader", "L-04"},
    {"after_cancel", "L-07"},
    {"after_cancel_prefill", "L-07"},
}};

std::string_view RuleOf(const Exchange& exchange) {
  for (const Variant& variant : kVariants) {
    if (variant.probe == exchange.probe) return variant.rule;
  }
  return "";
}

std::string OutcomeOf(const AnswerView& answer) {
  if (answer.response == nullptr) return "no answer";
  std::string text = "status " + std::to_string(answer.status());
  if (answer.answer.error) text += " " + answer.answer.error->type;
  return text;
}

// All that a twin may differ in.
std::vector<Difference> Differences(const AnswerView& one, const AnswerView& base) {
  if (OutcomeOf(one) != OutcomeOf(base)) {
    return {{Difference::Kind::kText, "outcome", OutcomeOf(one), OutcomeOf(base)}};
  }
  if (!base.HasAnswer()) return {};
  return DifferencesOf(one.answer, base.answer, one.request->surface == base.request->surface);
}

// Of twins that differ only in being streamed, or in their surface.
std::string_view PlainRuleOf(const AnswerView& one, const AnswerView& base,
                             const Difference& difference) {
  const bool same_surface = one.request->surface == base.request->surface;
  if (difference.kind == Difference::Kind::kCount) return same_surface ? "U-07" : "U-03";
  if (!same_surface) return difference.kind == Difference::Kind::kFinish ? "W-12" : "W-48";
  return one.request->surface == Surface::kChat ? "C-07" : "W-22";
}

void CheckTwins(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    const ExchangeView* base = side.Find(view.exchange->same_as);
    if (base == nullptr) continue;
    const std::string_view variant = RuleOf(*view.exchange);
    const AnswerView &one = view.answers.back(), &other = base->answers.back();
    // To refuse what names its length twice is right too.
    if (variant == "H-02" && one.status() >= 400 && one.status() < 500) {
      if (report.rule() == variant) report.Look();
      continue;
    }
    // So is to drop who does not read, as long as that is no normal end.
    if (variant == "L-04" && view.exchange->Has(EventKind::kReset)) {
      if (report.rule() == variant) report.Look();
      continue;
    }
    report.Look();
    for (const Difference& difference : Differences(one, other)) {
      const std::string_view rule = variant.empty() ? PlainRuleOf(one, other, difference) : variant;
      if (rule != report.rule()) continue;
      report.Add(view.name(), difference.what, difference.got,
                 difference.expected + ", as " + base->name());
    }
  }
}

// What the deltas of a Responses stream come to, and what the object at its end says.
void CheckFolded(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream || !subject.answer.HasAnswer()) return;
  const nlohmann::json& object = FinalObjectOf(subject.answer.events);
  if (object.is_null()) return;
  report.Look();
  const Answer whole = AnswerOfBody(Surface::kResponses, object);
  for (const Difference& difference : DifferencesOf(whole, subject.answer.answer, true)) {
    report.Add(subject.name(), "final object: " + difference.what, difference.got,
               difference.expected + ", as its deltas");
  }
}

void CheckPrompts(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    const ExchangeView* base = side.Find(view.exchange->same_prompt_as);
    if (base == nullptr) continue;
    const auto &one = view.answers[0].answer.usage, &other = base->answers[0].answer.usage;
    if (!one || !other || !one->prompt || !other->prompt) continue;
    report.Expect(one->prompt == other->prompt, view.name(), "prompt tokens",
                  std::to_string(*one->prompt),
                  std::to_string(*other->prompt) + ", as " + base->name());
  }
  CheckTwins(side, report);
}

std::string SentHeads(const Exchange& exchange) {
  std::string sent;
  for (const ConnectionEvent& event : exchange.events) {
    if (event.kind == EventKind::kSent) sent += event.bytes;
  }
  std::transform(sent.begin(), sent.end(), sent.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return sent;
}

// Whether some request of the exchange names that coding as one that its client can read.
bool Accepts(const Exchange& exchange, const std::string& coding) {
  constexpr std::string_view kHeader = "\naccept-encoding:";
  const std::string sent = SentHeads(exchange);
  for (std::size_t at = 0; (at = sent.find(kHeader, at)) != std::string::npos; ++at) {
    const std::size_t begin = at + kHeader.size();
    const std::string line = sent.substr(begin, sent.find('\n', begin) - begin);
    if (line.find(coding) != std::string::npos) return true;
  }
  return false;
}

// Of every coded answer, whatever it was asked for; and what it says is what it would say uncoded.
void CheckCoded(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      if (answer.response == nullptr || answer.response->coding.empty()) continue;
      const Response& response = *answer.response;
      report.Expect(Accepts(*view.exchange, response.coding), view.name(), "Content-Encoding",
                    Quoted(response.coding), "a coding that the request accepts");
      report.Expect(response.coding_error.empty(), view.name(), "body",
                    Quoted(response.coding) + ": " + response.coding_error,
                    "what its coding can be taken off");
    }
  }
  CheckTwins(side, report);
}

constexpr char kTwin[] = "same_as";

constexpr Rule kRules[] = {
    {"H-01", Layer::kCore, kAll, "probe chunked_request", "a chunked request is the same request",
     CheckTwins},
    {"H-02", Layer::kCore, kAll, "probe length_and_chunked",
     "chunked wins over a length, or both are refused", CheckTwins},
    {"H-03", Layer::kCore, kAll, "probe dribbled", "writes of one byte are the same request",
     CheckTwins},
    {"H-04", Layer::kCore, kAll, "probe expect_continue", "Expect: 100-continue changes nothing",
     CheckTwins},
    {"H-05", Layer::kCore, kAll, "probe header_case or bare_line_feeds",
     "names of headers in any case, lines ended either way", CheckTwins},
    {"H-12", Layer::kCore, kAll, "probe query", "a query changes nothing", CheckTwins},
    {"H-08.coding", Layer::kCore, kAll, "probe accepts_gzip",
     "coded answers are accepted, whole, and say the same", CheckCoded},
    {"L-03", Layer::kCore, kAll, "probe half_close", "a half-closed client is still there",
     CheckTwins},
    {"L-04", Layer::kCore, kAll, "probe slow_reader", "a slow reader gets the same bytes",
     CheckTwins},
    {"L-07", Layer::kCore, kAll, "probe after_cancel", "a cancelled request poisons nothing",
     CheckTwins},
    {"C-07", Layer::kCore, kChatOnly, kTwin, "a stream says what the whole answer says",
     CheckTwins},
    {"W-22", Layer::kCore, kGenerating, kTwin, "a stream says what the whole answer says",
     CheckTwins},
    {"W-12", Layer::kCore, kGenerating, kTwin, "surfaces tell the same finish in their words",
     CheckTwins},
    {"W-48", Layer::kCore, kGenerating, kTwin, "surfaces give the same answer", CheckTwins},
    {"U-07", Layer::kCore, kGenerating, kTwin, "a stream counts what the whole answer counts",
     CheckTwins},
    {"U-03", Layer::kCore, kGenerating, "same_prompt_as or same_as",
     "the same prompt is as many tokens", CheckPrompts},
    {"W-47", Layer::kCore, kResponsesOnly, "a stream", "what deltas come to is the final object",
     CheckFolded},
};

}  // namespace

std::span<const Rule> TwinRules() { return kRules; }

}  // namespace parity::wire
