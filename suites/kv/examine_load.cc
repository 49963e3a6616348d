#include "suites/kv/examine.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parity::kv {
namespace {

using nlohmann::json;

// What the engine counts of one request has moved by what it answers.
void ExpectCounters(const Loaded& warm, Checked& checked) {
  for (const auto& [name, moved] : {std::pair{"prefill_computed", warm.answer.computed},
                                    {"prefill_cached", warm.answer.cached},
                                    {"decoded", warm.answer.output}}) {
    if (!warm.counters_after.contains(name)) continue;
    const auto delta = warm.counters_after.at(name).get<std::uint64_t>() -
                       warm.counters_before.value(name, std::uint64_t{0});
    checked.Expect(delta == moved, std::string("reuse: counter ") + name,
                   Got(std::string("counter ") + name + " moved by", delta, moved));
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
  const std::uint64_t hits = from_memory ? cell.warm->hits : answer.hits;
  checked.Expect(
      !key.empty() && answer.restored_key == key, "accepted: not taken up",
      Got("restored", answer.restored_key.empty() ? "nothing" : answer.restored_key, key));
  checked.Expect(answer.restored_from == from, "accepted: not from " + from,
                 Got("restored from", answer.restored_from, from));
  checked.Expect(hits == 1, "accepted: hit " + std::to_string(hits) + " times",
                 Got("hits", hits, 1));
}

void ExamineTaking(const Cell& cell, Checked& checked) {
  const Answer& answer = cell.warm->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  const std::string why = answer.refusals.empty() ? "" : ListOf(answer.refusals);
  if (expected.refused) {
    checked.Expect(!why.empty(), "accepted: not refused", Got("refusals", "none", "at least one"));
    const std::set<std::string> reasons(answer.refusals.begin(), answer.refusals.end());
    checked.Expect(expected.why.empty() || reasons == std::set<std::string>{expected.why},
                   "accepted: refused " + why, Got("why refused", why, expected.why));
  } else {
    checked.Expect(why.empty(), "accepted: refused " + why, "the record was refused: " + why);
  }
  if (expected.miss || expected.refused) {
    checked.Expect(answer.restored_key.empty(), "accepted: taken up",
                   Got("restored", answer.restored_key, "nothing"));
    return;
  }
  ExpectSource(cell, checked);
}

}  // namespace

Checked ExamineAccepted(const Cell& cell) {
  Checked checked;
  ExamineTaking(cell, checked);
  checked.Expect(cell.warm->events == cell.reference_warm->events, "accepted: events",
                 Got("events", ListOf(cell.warm->events), ListOf(cell.reference_warm->events)) +
                     " as the reference with its own record");
  return checked;
}

Checked ExamineReuse(const Cell& cell) {
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const Answer& cold = cell.cold->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  const Answer& own = cell.reference_warm->answer;
  const bool nothing = expected.miss || expected.refused;
  checked.Expect(answer.cached + answer.computed == answer.prompt, "reuse: counts do not add up",
                 Got("cached + computed", answer.cached + answer.computed, answer.prompt));
  checked.Expect(nothing == (answer.cached == 0),
                 nothing ? "reuse: cached above 0" : "reuse: cached 0",
                 Got("cached", std::to_string(answer.cached), nothing ? "0" : "above 0"));
  const auto count = [&](const char* name, std::uint64_t got, std::uint64_t wanted) {
    checked.Expect(got == wanted, std::string("reuse: ") + name, Got(name, got, wanted));
  };
  count("prompt", answer.prompt, expected.prompt.value_or(own.prompt));
  count("cached", answer.cached, expected.cached.value_or(own.cached));
  count("computed", answer.computed, expected.computed.value_or(own.computed));
  count("output", answer.output, expected.output.value_or(own.output));
  // A prefill that is said to be skipped and runs all the same shows in the rows that ran.
  count("rows skipped", cold.rows - std::min(cold.rows, answer.rows), answer.cached);
  if (!nothing) {
    checked.Expect(answer.ops <= cold.ops, "reuse: ops",
                   Got("ops that ran", std::to_string(answer.ops),
                       "no more than without the record, " + std::to_string(cold.ops)));
  }
  const json route = expected.route.is_null() ? own.route : expected.route;
  checked.Expect(answer.route == route, "reuse: route",
                 Got("route", answer.route.dump(), route.dump()));
  ExpectCounters(*cell.warm, checked);
  return checked;
}

}  // namespace parity::kv
