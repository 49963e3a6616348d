// The same request to both servers, without comparing text that was sampled.
#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/metrics/exposition.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string StatusOf(const AnswerView& answer) {
  return answer.response == nullptr ? "no answer" : std::to_string(answer.status());
}

// `compare(reference, candidate)` for each request that both answered.
template <typename Compare>
void EachPair(const ExchangeView& reference, const ExchangeView& candidate, Compare compare) {
  for (std::size_t i = 0; i < reference.answers.size() && i < candidate.answers.size(); ++i) {
    compare(reference.answers[i], candidate.answers[i]);
  }
}

void ExpectEqual(const ExchangeView& candidate, const std::string& where, const std::string& got,
                 const std::string& reference, Report& report) {
  report.Expect(got == reference, candidate.name(), where, got, reference + ", as the reference");
}

void CheckStatus(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  const bool orphan = reference.exchange->probe == "orphan_tool_result";
  if (orphan != (report.rule() == "A-10")) return;
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    const bool same_class = mine.status() / 100 == theirs.status() / 100;
    report.Expect(same_class, candidate.name(), "status", StatusOf(mine),
                  StatusOf(theirs) + ", as the reference");
  });
}

void CheckStatusCode(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    ExpectEqual(candidate, "status", StatusOf(mine), StatusOf(theirs), report);
  });
}

std::string Joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

Finish FinishOf(const AnswerView& answer) {
  return answer.answer.choices.empty() ? Finish::kNone : answer.answer.choices[0].finish;
}

bool BothAnswer(const AnswerView& theirs, const AnswerView& mine) {
  return theirs.HasAnswer() && mine.HasAnswer();
}

void CheckPath(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (!BothAnswer(theirs, mine) || FinishOf(theirs) != FinishOf(mine)) return;
    if (!theirs.is_stream || !mine.is_stream) return;
    // Where a rule of the machine is broken, that is told already.
    if (!theirs.run.violations.empty() || !mine.run.violations.empty()) return;
    ExpectEqual(candidate, "states", Joined(mine.run.states), Joined(theirs.run.states), report);
  });
}

// Where sampling decides nothing: the request says so, or tries something.
bool IsForced(const ExchangeView& view, const AnswerView& answer) {
  return PartOf(answer.request->body, "temperature") == 0 || !view.exchange->probe.empty();
}

void CheckFinish(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (!BothAnswer(theirs, mine) || !IsForced(reference, theirs)) return;
    ExpectEqual(candidate, "finish", std::string(NameOf(FinishOf(mine))),
                std::string(NameOf(FinishOf(theirs))), report);
  });
}

void ExpectCount(const ExchangeView& candidate, const std::string& what,
                 const std::optional<std::int64_t>& mine, const std::optional<std::int64_t>& theirs,
                 Report& report) {
  if (!mine || !theirs) return;
  ExpectEqual(candidate, what, std::to_string(*mine), std::to_string(*theirs), report);
}

void CheckCounts(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    const auto &one = mine.answer.usage, &other = theirs.answer.usage;
    if (!one || !other) return;
    ExpectCount(candidate, "prompt tokens", one->prompt, other->prompt, report);
    const Exchange& meta = *reference.exchange;
    if (meta.probe == "cold" || !meta.warm_of.empty()) {
      ExpectCount(candidate, "cached tokens", one->cached, other->cached, report);
    }
    if (FinishOf(theirs) == Finish::kLength && FinishOf(mine) == Finish::kLength) {
      ExpectCount(candidate, "output tokens", one->output, other->output, report);
    }
  });
}

// max_tokens 0, or none: what it means is the reference's to say.
void CheckLimit(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  if (reference.exchange->probe != "zero_max_tokens") return;
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    ExpectEqual(candidate, "status", StatusOf(mine), StatusOf(theirs), report);
    const auto output = [](const AnswerView& answer) {
      return answer.answer.usage ? answer.answer.usage->output : std::nullopt;
    };
    ExpectCount(candidate, "output tokens", output(mine), output(theirs), report);
  });
}

void CheckError(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    const auto &one = mine.answer.error, &other = theirs.answer.error;
    if (!one || !other) return;
    ExpectEqual(candidate, "error type", Quoted(one->type), Quoted(other->type), report);
    ExpectEqual(candidate, "error code", Quoted(one->code), Quoted(other->code), report);
    ExpectEqual(candidate, "error param", Quoted(one->param), Quoted(other->param), report);
  });
}

constexpr std::array<const char*, 5> kHeaders = {"content-type", "retry-after", "cache-control",
                                                 "x-request-id", "request-id"};

std::string HeaderOf(const AnswerView& answer, const std::string& name) {
  const std::string* value = answer.response->Find(name);
  if (value == nullptr) return "none";
  return name == "content-type" ? value->substr(0, value->find(';')) : "some";
}

void CheckHeaders(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (theirs.response == nullptr || mine.response == nullptr) return;
    if (!reference.exchange->has_head || !candidate.exchange->has_head) return;
    if (theirs.status() != mine.status()) return;
    for (const char* name : kHeaders) {
      ExpectEqual(candidate, name, HeaderOf(mine, name), HeaderOf(theirs, name), report);
    }
  });
}

// Required by public types and left out by many servers: tolerated, where both leave them out.
constexpr std::array<const char*, 12> kTolerated = {
    "logprobs",     "refusal", "annotations",        "citations",    "signature",  "container",
    "stop_details", "caller",  "system_fingerprint", "service_tier", "request_id", "diagnostics"};

void Collect(const json& value, std::set<std::string>* found) {
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) {
      const std::string name = key;
      if (std::find(kTolerated.begin(), kTolerated.end(), name) != kTolerated.end()) {
        found->insert(name);
      }
      Collect(part, found);
    }
  } else if (value.is_array()) {
    for (const json& part : value) Collect(part, found);
  }
}

std::set<std::string> ToleratedIn(const AnswerView& answer) {
  std::set<std::string> found;
  for (const SentValue& sent : SentValuesOf(answer)) Collect(*sent.value, &found);
  return found;
}

void CheckAbsent(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (!BothAnswer(theirs, mine)) return;
    std::set<std::string> one = ToleratedIn(mine), other = ToleratedIn(theirs);
    // A rule of its own tells of those.
    one.erase("signature");
    other.erase("signature");
    ExpectEqual(candidate, "keys that may be absent", Joined(one), Joined(other), report);
  });
}

// A stream signs by an event of its own: the block that it begins has an empty one anyway.
bool IsSigned(const AnswerView& answer) {
  if (!answer.is_stream) return ToleratedIn(answer).contains("signature");
  return std::any_of(answer.events.begin(), answer.events.end(), [](const StreamEvent& event) {
    return TextIn(PartOf(event.data, "delta"), "type") == "signature_delta";
  });
}

void CheckSignature(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (!BothAnswer(theirs, mine)) return;
    const auto thinks = [](const AnswerView& answer) {
      return !answer.answer.choices.empty() && !answer.answer.choices[0].reasoning.empty();
    };
    if (!thinks(theirs) || !thinks(mine)) return;
    const auto told = [](const AnswerView& answer) {
      return IsSigned(answer) ? "a signature" : "no signature";
    };
    ExpectEqual(candidate, "thinking", told(mine), told(theirs), report);
  });
}

std::string PrefixOf(const std::string& id) {
  const std::size_t end = id.find_first_of("-_");
  return end == std::string::npos ? "none" : id.substr(0, end + 1);
}

void CheckIds(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (!BothAnswer(theirs, mine)) return;
    // A rule of the side alone tells of an answer without one.
    if (mine.answer.id.empty()) return;
    ExpectEqual(candidate, "id", PrefixOf(mine.answer.id), PrefixOf(theirs.answer.id), report);
    if (mine.answer.choices.empty() || theirs.answer.choices.empty()) return;
    const auto &calls = mine.answer.choices[0].calls, &their_calls = theirs.answer.choices[0].calls;
    if (calls.empty() || their_calls.empty()) return;
    ExpectEqual(candidate, "call id", PrefixOf(calls[0].id), PrefixOf(their_calls[0].id), report);
  });
}

// What a server does not do it does not count: a 0 would say that it might.
void CheckFamilies(const ExchangeView& reference, const ExchangeView& candidate, Report& report) {
  if (!report.options().same_metrics) return;
  EachPair(reference, candidate, [&](const AnswerView& theirs, const AnswerView& mine) {
    if (mine.request->surface != Surface::kMetrics || !theirs.IsOk() || !mine.IsOk()) return;
    const auto families = [](const AnswerView& answer) {
      std::set<std::string> names;
      for (const auto& [name, type] : ParseExposition(answer.response->body).types) {
        names.insert(name);
      }
      return names;
    };
    const std::set<std::string> one = families(mine), other = families(theirs);
    std::set<std::string> more, fewer;
    std::set_difference(one.begin(), one.end(), other.begin(), other.end(),
                        std::inserter(more, more.end()));
    std::set_difference(other.begin(), other.end(), one.begin(), one.end(),
                        std::inserter(fewer, fewer.end()));
    ExpectEqual(candidate, "families beyond the other side's", Joined(more), Joined({}), report);
    ExpectEqual(candidate, "families that it lacks", Joined(fewer), Joined({}), report);
  });
}

constexpr Rule kRules[] = {
    {"equal.status", Layer::kProfile, kAll, "", "statuses are of one class", CheckStatus},
    {"equal.status_code", Layer::kStrict, kAll, "", "statuses are equal", CheckStatusCode},
    {"equal.path", Layer::kProfile, kGenerating, "streams", "streams visit the same states",
     CheckPath},
    {"equal.finish", Layer::kProfile, kGenerating, "a probe, or temperature 0",
     "answers end for the same reason", CheckFinish},
    {"equal.counts", Layer::kProfile, kGenerating, "usage",
     "prompts are as many tokens, and what is cut or cached is too", CheckCounts},
    {"equal.error", Layer::kProfile, kAll, "errors", "errors have the same type, code and param",
     CheckError},
    {"equal.headers", Layer::kProfile, kAll, "", "heads tell the same", CheckHeaders},
    {"equal.absent", Layer::kProfile, kGenerating, "",
     "what one server leaves out, the other does too", CheckAbsent},
    {"equal.families", Layer::kProfile, kAll, "scrapes", "/metrics has the same families",
     CheckFamilies},
    {"equal.ids", Layer::kProfile, kGenerating, "", "ids have the same prefix", CheckIds},
    {"A-07", Layer::kProfile, kMessagesOnly, "thinking", "thinking is signed on both or on none",
     CheckSignature},
    {"A-10", Layer::kProfile, kMessagesOnly, "probe orphan_tool_result",
     "a result without its call is taken as the reference takes it", CheckStatus},
    {"P-03", Layer::kProfile, kGenerating, "probe zero_max_tokens",
     "a limit of 0 means what it means to the reference", CheckLimit},
};

}  // namespace

std::span<const Rule> PairRules() { return kRules; }

}  // namespace parity::wire
