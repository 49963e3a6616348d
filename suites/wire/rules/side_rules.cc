// L-05, M-01, M-02, W-14: what holds between the answers of one server.
#include <map>
#include <set>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

template <typename Visit>
void EachAnswer(const SideView& side, Visit visit) {
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) visit(view, answer);
  }
}

// Every chunk names its id and model; the other streams have one event that does.
bool EachEventTells(const AnswerView& answer) {
  return (Bit(answer.request->surface) & kChunked) != 0 && !answer.events.empty();
}

// Whether an answer lacks what its beginning would have told. Where its client left before that, it
// is nobody's fault; else a machine's rule has found it.
bool LacksBeginning(const ExchangeView& view, const AnswerView& answer, const std::string& told,
                    Report& report) {
  if (!answer.is_stream || !told.empty()) return false;
  if (answer.no_beginning().empty()) return !view.ended && !EachEventTells(answer);
  report.Follow(view.name(), answer.no_beginning());
  return true;
}

void CheckIds(const SideView& side, Report& report) {
  constexpr char kAllowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  std::map<std::string, std::string> users;
  EachAnswer(side, [&](const ExchangeView& view, const AnswerView& answer) {
    if (!answer.HasAnswer()) return;
    const std::string& id = answer.answer.id;
    if (LacksBeginning(view, answer, id, report)) return;
    report.Expect(!id.empty() && id.find_first_not_of(kAllowed) == std::string::npos, view.name(),
                  "id", Quoted(id), "letters, digits, - and _");
    const auto [used, fresh] = users.try_emplace(id, view.name());
    report.Expect(fresh || id.empty(), view.name(), "id", id + ", as " + used->second,
                  "an id of its own");
  });
}

std::string TextsOf(const AnswerView& answer) {
  std::string text;
  for (const Choice& choice : answer.answer.choices) text += choice.text + choice.reasoning;
  return text;
}

void CheckCrossTalk(const SideView& side, Report& report) {
  EachAnswer(side, [&](const ExchangeView& view, const AnswerView& answer) {
    if (!answer.HasAnswer()) return;
    const std::string text = TextsOf(answer);
    for (const ExchangeView& other : side.exchanges()) {
      const std::string& marker = other.exchange->marker;
      if (marker.empty()) continue;
      const bool own = marker == view.exchange->marker;
      if (own && other.name() == view.name()) {
        report.Expect(text.find(marker) != std::string::npos, view.name(), "text",
                      "none of its own marker", Quoted(marker));
      } else if (!own) {
        report.Expect(text.find(marker) == std::string::npos, view.name(), "text",
                      "the marker of " + other.name(), "none of another's");
      }
    }
  });
}

// Each model as it was listed: `visit(view, entry)`.
template <typename Visit>
void EachListed(const SideView& side, Visit visit) {
  EachAnswer(side, [&](const ExchangeView& view, const AnswerView& answer) {
    if (answer.request->surface != Surface::kModels || !answer.IsOk()) return;
    const json& data = PartOf(answer.body, "data");
    if (!data.is_array()) return visit(view, answer.body);
    for (const json& entry : data) visit(view, entry);
  });
}

void CheckListed(const SideView& side, Report& report) {
  std::set<std::string> ids;
  EachListed(side,
             [&](const ExchangeView&, const json& entry) { ids.insert(TextIn(entry, "id")); });
  if (ids.empty()) return;
  EachAnswer(side, [&](const ExchangeView& view, const AnswerView& answer) {
    if (!answer.Generates()) return;
    const std::string asked = TextIn(answer.request->body, "model");
    if (answer.HasAnswer()) {
      if (LacksBeginning(view, answer, answer.answer.model, report)) return;
      const std::string expected = ids.contains(asked) ? asked : *ids.begin();
      report.Expect(ids.contains(answer.answer.model) &&
                        (!ids.contains(asked) || answer.answer.model == asked),
                    view.name(), "model", Quoted(answer.answer.model),
                    expected + ", as listed and asked");
    } else if (ids.contains(asked)) {
      report.Expect(answer.status() != 404, view.name(), "status", "404 for a listed model",
                    "an answer");
    }
  });
}

void CheckCreated(const SideView& side, Report& report) {
  std::map<std::string, json> created;
  EachListed(side, [&](const ExchangeView& view, const json& entry) {
    const json& at = PartOf(entry, "created");
    const auto [known, fresh] = created.try_emplace(TextIn(entry, "id"), at);
    report.Expect(at.is_number_integer() && known->second == at, view.name(), "created", at.dump(),
                  (fresh ? "a whole number" : known->second.dump() + ", as listed before"));
  });
}

constexpr Rule kRules[] = {
    {"W-14", Layer::kCore, kAll, "", "every answer has an id of its own", CheckIds},
    {"L-05", Layer::kCore, kAll, "markers", "no answer has another's text", CheckCrossTalk},
    {"M-01", Layer::kCore, kAll, "a list of models", "a listed model is accepted and echoed",
     CheckListed},
    {"M-02", Layer::kCore, kAll, "a list of models", "created is a constant whole number",
     CheckCreated},
};

}  // namespace

std::span<const Rule> SideRules() { return kRules; }

}  // namespace parity::wire
