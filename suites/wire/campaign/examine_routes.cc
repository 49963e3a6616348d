#include "suites/wire/campaign/examine_routes.h"

#include <algorithm>
#include <map>

#include "suites/wire/campaign/counters.h"
#include "suites/wire/campaign/examine_place.h"

namespace parity::wire {
namespace {

// Requests of one surface: those that were answered, and those of which it is not known.
struct Entries {
  std::int64_t answered = 0, unknown = 0;
};

std::map<Surface, Entries> EntriesOf(const Place& place, const Transcript& transcript) {
  Transcript part;
  for (const Exchange& exchange : transcript.exchanges) {
    if (IsOf(place, exchange.name)) part.exchanges.push_back(exchange);
  }
  std::map<Surface, Entries> entries;
  const SideView view(part);
  for (const ExchangeView& exchange : view.exchanges()) {
    for (const AnswerView& answer : exchange.answers) {
      if (!answer.Generates()) continue;
      Entries& of = entries[answer.request->surface];
      if (answer.IsOk()) {
        ++of.answered;
      } else if (answer.response == nullptr || answer.status() >= 500) {
        // A client that left, or a server that failed, may have been in a lane.
        ++of.unknown;
      }
    }
  }
  return entries;
}

// What a lane serves of several at once. Where not all were answered nobody's share is known.
Entries ShareOf(const std::map<std::string, std::uint64_t>& shares, const std::string& lane,
                const Entries& all) {
  if (all.answered == 0) return {0, all.unknown};
  const auto found = shares.find(lane);
  const auto share = static_cast<std::int64_t>(found == shares.end() ? 0 : found->second);
  return {std::max<std::int64_t>(share - all.unknown, 0), all.unknown};
}

std::string Text(const Entries& entries) {
  std::string least = std::to_string(entries.answered);
  if (entries.unknown == 0) return least;
  return least + " to " + std::to_string(entries.answered + entries.unknown);
}

}  // namespace

std::vector<Finding> ExamineRoutes(const Probes& probes, std::size_t side, const WireLane& lane,
                                   const Place& place, const SessionRecord& record) {
  const CounterPlaces& places = probes.words[side].counters;
  if (places.routes.empty() || place.probe->growth || place.probe->ends_server) return {};
  const std::string name = place.Name();
  const auto before = CountersOf(record.transcript, StatsBefore(name));
  const auto after = CountersOf(record.transcript, StatsAfter(name));
  if (!before || !after) {
    return {{"route", name, "counters", "no JSON object around it", "what tells the routes"}};
  }
  std::map<Surface, Entries> entries = EntriesOf(place, record.transcript);
  const std::string served_by = ServedBy(place, lane);
  const auto shares = place.probe->shares.find(lane.name);
  const bool shared = shares != place.probe->shares.end();
  std::vector<Finding> findings;
  for (const Surface surface :
       {Surface::kChat, Surface::kCompletions, Surface::kMessages, Surface::kResponses}) {
    for (const WireLane& other : probes.lanes) {
      const std::string pointer = RoutePointer(places.routes, surface, other.name);
      const auto moved = Moved(*before, *after, pointer);
      Entries expected = other.name == served_by ? entries[surface] : Entries{};
      if (shared) expected = ShareOf(shares->second, other.name, entries[surface]);
      const std::int64_t got = moved.value_or(0);
      // What nothing should have moved need not be there.
      if (!moved && expected.answered == 0) continue;
      if (moved && got >= expected.answered && got <= expected.answered + expected.unknown) {
        continue;
      }
      findings.push_back(
          {"route", name, pointer, moved ? "moved by " + std::to_string(got) : "no such counter",
           Text(expected) +
               (shared ? ", its share" : ", as lane " + served_by + " should serve it")});
    }
  }
  return findings;
}

std::vector<Finding> ExamineSums(const CounterPlaces& places, const Place& place,
                                 const SessionRecord& record) {
  std::vector<Finding> findings;
  const auto told = CountersOf(record.transcript, StatsAfter(place.Name()));
  if (!told) return findings;
  for (const CounterSum& sum : places.sums) {
    const auto total = NumberAt(*told, sum.total);
    std::int64_t parts = 0;
    for (const std::string& part : sum.parts) parts += NumberAt(*told, part).value_or(0);
    if (total && *total == parts) continue;
    findings.push_back({"sums", place.Name(), sum.total,
                        total ? std::to_string(*total) : "no such counter",
                        std::to_string(parts) + ", the sum of its parts"});
  }
  return findings;
}

std::vector<Finding> CompareCounters(const Probes& probes, const Place& place,
                                     const SessionRecord& reference,
                                     const SessionRecord& candidate) {
  std::vector<Finding> findings;
  if (place.probe->growth || place.probe->ends_server) return findings;
  const std::string name = place.Name();
  std::optional<nlohmann::json> before[2], after[2];
  for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
    const Transcript& transcript = (side == kReferenceSide ? reference : candidate).transcript;
    before[side] = CountersOf(transcript, StatsBefore(name));
    after[side] = CountersOf(transcript, StatsAfter(name));
    if (!before[side] || !after[side]) return findings;
  }
  const auto& mine = probes.words[kCandidateSide].counters.alike;
  for (const auto& [role, pointer] : probes.words[kReferenceSide].counters.alike) {
    const std::vector<std::string>& uncounted = place.probe->uncounted;
    if (std::find(uncounted.begin(), uncounted.end(), role) != uncounted.end()) continue;
    const auto own = mine.find(role);
    const auto theirs = Moved(*before[kReferenceSide], *after[kReferenceSide], pointer);
    if (own == mine.end() || !theirs) continue;
    const auto moved = Moved(*before[kCandidateSide], *after[kCandidateSide], own->second);
    if (moved == theirs) continue;
    findings.push_back({"counters", name, role,
                        moved ? "moved by " + std::to_string(*moved) : "no such counter",
                        std::to_string(*theirs) + ", as the reference's"});
  }
  return findings;
}

}  // namespace parity::wire
