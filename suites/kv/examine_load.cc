#include "suites/kv/examine.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "suites/kv/counted.h"

namespace parity::kv {
namespace {

using nlohmann::json;

// What the engine counts of one request has moved by what it answers.
void ExpectCounters(const Loaded& warm, Checked& checked) {
  const Answer& answer = warm.answer;
  const std::uint64_t computed =
      answer.Tells("computed") ? answer.computed : answer.prompt - answer.cached;
  for (const auto& [name, expected] : {std::pair{"prefill_computed", computed},
                                       {"prefill_cached", answer.cached},
                                       {"decoded", answer.output},
                                       {"tokens", answer.rows}}) {
    if (!warm.counters_after.contains(name)) continue;
    if (name == std::string("tokens") && !answer.Tells("ran")) continue;
    const std::optional<std::uint64_t> moved =
        Moved(warm.counters_before, warm.counters_after, name);
    checked.Expect(
        moved == expected, std::string("reuse: counter ") + name,
        Got(std::string("counter ") + name + " moved by",
            moved ? std::to_string(*moved) : "less than nothing", std::to_string(expected)));
  }
}

// A prefill that is said to be skipped and runs all the same shows in the rows that ran, or in the
// counter of what was computed; an answer alone is no proof.
void ExpectSkipped(const Cell& cell, bool nothing, Checked& checked) {
  const Loaded& warm = *cell.warm;
  const Answer &answer = warm.answer, &cold = cell.cold->answer;
  if (answer.Tells("ran") && cold.Tells("ran")) {
    const std::uint64_t skipped = cold.rows - std::min(cold.rows, answer.rows);
    checked.Expect(skipped == answer.cached, "reuse: rows skipped",
                   Got("rows skipped", skipped, answer.cached));
    if (nothing) return;
    checked.Expect(answer.ops <= cold.ops, "reuse: ops",
                   Got("ops that ran", std::to_string(answer.ops),
                       "no more than without the record, " + std::to_string(cold.ops)));
  } else if (!Moved(warm.counters_before, warm.counters_after, "prefill_computed")) {
    checked.CannotTell(
        "that the prefill was skipped is not shown: the server tells neither the rows that ran nor "
        "a counter prefill_computed");
  } else {
    checked.properties.emplace_back("skipped_by", "counters");
  }
}

void ExpectCached(const Answer& answer, bool nothing, Checked& checked) {
  if (answer.Tells("computed")) {
    checked.Expect(answer.cached + answer.computed == answer.prompt, "reuse: counts do not add up",
                   Got("cached + computed", answer.cached + answer.computed, answer.prompt));
  }
  checked.Expect(nothing == (answer.cached == 0),
                 nothing ? "reuse: cached above 0" : "reuse: cached 0",
                 Got("cached", std::to_string(answer.cached), nothing ? "0" : "above 0"));
}

void ExpectRoute(const Cell& cell, Checked& checked) {
  const Answer &answer = cell.warm->answer, &own = cell.reference_warm->answer;
  const json& declared = cell.lane->answer.route;
  if (!answer.Tells("route") || (declared.is_null() && !own.Tells("route"))) {
    if (!declared.is_null()) checked.CannotTell("the server does not tell its route");
    return;
  }
  const json& route = declared.is_null() ? own.route : declared;
  checked.Expect(answer.route == route, "reuse: route",
                 Got("route", answer.route.dump(), route.dump()));
}

void ExpectWords(const Answer& answer, const std::string& words, Checked& checked) {
  if (words.empty()) return;
  const std::vector<std::string>& told = answer.refusal_words;
  if (told.empty()) return checked.CannotTell("the refusal has no words");
  const bool holds = std::any_of(told.begin(), told.end(), [&](const std::string& one) {
    return one.find(words) != std::string::npos;
  });
  checked.Expect(holds, "accepted: other words",
                 Got("words of the refusal", ListOf(told), "\"" + words + "\" among them"));
}

void ExpectRefusals(const Cell& cell, Checked& checked) {
  const Answer& answer = cell.warm->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  const bool declined = cell.IsDeclined();
  if (!answer.Tells("refusals")) {
    if (!declined) return;
    return checked.CannotTell("the server does not tell whether it refused the record");
  }
  const std::string why = answer.refusals.empty() ? "" : ListOf(answer.refusals);
  if (!declined) {
    checked.Expect(why.empty(), "accepted: refused " + why,
                   "the record was refused: " + why +
                       (answer.refusal_words.empty() ? "" : ": " + answer.refusal_words.front()));
    return;
  }
  checked.Expect(!why.empty(), "accepted: not refused", Got("refusals", "none", "at least one"));
  if (!why.empty()) checked.properties.emplace_back("refused_as_declared", why);
  ExpectWords(answer, expected.words, checked);
  if (expected.why.empty()) return;
  if (!answer.Tells("refusal names")) {
    return checked.CannotTell("the server does not tell why it refused the record");
  }
  const std::set<std::string> reasons(answer.refusals.begin(), answer.refusals.end());
  checked.Expect(reasons == std::set<std::string>{expected.why}, "accepted: refused " + why,
                 Got("why refused", why, expected.why));
}

void ExpectNothingTaken(const Answer& answer, Checked& checked) {
  if (answer.Tells("restored")) {
    checked.Expect(answer.restored_key.empty(), "accepted: taken up",
                   Got("restored", answer.restored_key, "nothing"));
  } else if (answer.Tells("cached")) {
    checked.Expect(answer.cached == 0, "accepted: taken up", Got("cached", answer.cached, 0));
  } else {
    checked.CannotTell("the server tells neither what it restored nor what was cached");
  }
}

// By a server that does not tell what it restored: there is one record in its folder, and a process
// that has been asked nothing before has nothing else to go on from.
void ExpectTakenByCounts(const Cell& cell, Checked& checked) {
  const Answer& answer = cell.warm->answer;
  const bool first = cell.lane->load.requests.size() == 1;
  if (first && answer.Tells("cached")) {
    checked.Expect(answer.cached > 0, "accepted: not taken up",
                   Got("cached", std::to_string(answer.cached), "above 0"));
  } else if (!answer.Tells("hits")) {
    checked.CannotTell("the server tells neither what it restored nor a counter hits");
  }
}

// The record itself, in the judged request; or, before that, by what the judged answer goes on
// from.
void ExpectSource(const Cell& cell, Checked& checked) {
  const Answer& answer = cell.warm->answer;
  const bool from_memory = cell.lane->answer.from_memory;
  const std::string& name = cell.saved->fit.front();
  const std::string key =
      from_memory ? cell.reference_warm->answer.restored_key : name.substr(0, name.find('.'));
  const std::string from = from_memory ? "memory" : "disk";
  checked.Expect(
      !key.empty() && answer.restored_key == key, "accepted: not taken up",
      Got("restored", answer.restored_key.empty() ? "nothing" : answer.restored_key, key));
  checked.Expect(answer.restored_from == from, "accepted: not from " + from,
                 Got("restored from", answer.restored_from, from));
}

// Once: by the judged request, or by one before it where the answer goes on from memory.
void ExpectOneHit(const Cell& cell, Checked& checked) {
  const bool from_memory = cell.lane->answer.from_memory;
  const Loaded& warm = *cell.warm;
  if (from_memory ? !warm.hits_told : !warm.answer.Tells("hits")) return;
  const std::uint64_t hits = from_memory ? warm.hits : warm.answer.hits;
  checked.Expect(hits == 1, "accepted: hit " + std::to_string(hits) + " times",
                 Got("hits", hits, 1));
}

void ExamineTaking(const Cell& cell, Checked& checked) {
  const Answer& answer = cell.warm->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  ExpectRefusals(cell, checked);
  if (expected.miss || cell.IsDeclined()) {
    ExpectNothingTaken(answer, checked);
    return;
  }
  if (answer.Tells("restored")) {
    ExpectSource(cell, checked);
  } else {
    ExpectTakenByCounts(cell, checked);
  }
  ExpectOneHit(cell, checked);
}

// By the reference with its own record.
void ExpectEvents(const Cell& cell, Checked& checked) {
  if (!cell.warm->answer.Tells("events") || !cell.reference_warm->answer.Tells("events")) {
    checked.properties.emplace_back("events", "not told");
    return;
  }
  const std::string got = ListOf(cell.warm->events), expected = ListOf(cell.reference_warm->events);
  checked.Expect(got == expected, "accepted: events",
                 Got("events", got, expected) + " as the reference with its own record");
}

// Declined here and taken up elsewhere: all is as by the same engine without the record.
Checked ExamineNoReuse(const Cell& cell) {
  Checked checked;
  const Answer &answer = cell.warm->answer, &cold = cell.cold->answer;
  if (!answer.Tells("cached")) {
    checked.CannotTell("the server tells by neither usage nor counters how much was cached");
    return checked;
  }
  ExpectCached(answer, true, checked);
  for (const auto& [name, got, expected] :
       {std::tuple{"prompt", answer.prompt, cold.prompt}, {"output", answer.output, cold.output}}) {
    checked.Expect(got == expected, std::string("reuse: ") + name, Got(name, got, expected));
  }
  ExpectSkipped(cell, true, checked);
  ExpectCounters(*cell.warm, checked);
  return checked;
}

}  // namespace

Checked ExamineAccepted(const Cell& cell) {
  Checked checked;
  ExamineTaking(cell, checked);
  if (!cell.IsDeclinedAlone()) ExpectEvents(cell, checked);
  return checked;
}

Checked ExamineReuse(const Cell& cell) {
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  if (cell.IsDeclinedAlone()) return ExamineNoReuse(cell);
  const Answer& own = cell.reference_warm->answer;
  const bool nothing = expected.miss || cell.IsDeclined();
  if (!answer.Tells("cached")) {
    checked.CannotTell("the server tells by neither usage nor counters how much was cached");
  } else {
    ExpectCached(answer, nothing, checked);
  }
  const auto count = [&](const std::string& name, std::uint64_t got,
                         const std::optional<std::uint64_t>& declared, std::uint64_t of_own) {
    if (!answer.Tells(name) || (!declared && !own.Tells(name))) return;
    const std::uint64_t wanted = declared.value_or(of_own);
    checked.Expect(got == wanted, "reuse: " + name, Got(name, got, wanted));
  };
  count("prompt", answer.prompt, expected.prompt, own.prompt);
  count("cached", answer.cached, expected.cached, own.cached);
  count("computed", answer.computed, expected.computed, own.computed);
  count("output", answer.output, expected.output, own.output);
  if (answer.Tells("cached")) ExpectSkipped(cell, nothing, checked);
  ExpectRoute(cell, checked);
  if (answer.Tells("cached")) ExpectCounters(*cell.warm, checked);
  return checked;
}

}  // namespace parity::kv
