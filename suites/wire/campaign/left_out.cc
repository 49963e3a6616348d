#include "suites/wire/campaign/left_out.h"

#include "suites/wire/campaign/examine_place.h"

namespace parity::wire {
namespace {

bool WaitedInVain(const Exchange& exchange) {
  return exchange.Has(EventKind::kTimedOut) && !exchange.Has(EventKind::kReceived);
}

}  // namespace

std::string WhyLeftOut(const Place& place, const SessionRecord& reference,
                       const SessionRecord* candidate) {
  if (const DeathFact* death = reference.DeathAt(place.Name())) return death->text;
  if (candidate == nullptr) return "";
  for (const Exchange& exchange : reference.transcript.exchanges) {
    if (!WaitedInVain(exchange) || !IsOf(place, exchange.name)) continue;
    const Exchange* other = candidate->transcript.Find(exchange.name);
    if (other != nullptr && other->Has(EventKind::kReceived)) return "no answer in time";
  }
  return "";
}

}  // namespace parity::wire
