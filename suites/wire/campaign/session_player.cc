#include "suites/wire/campaign/session_player.h"

#include <sys/wait.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gtest_parity/server/stop_signal.h"
#include "suites/wire/campaign/examine_place.h"
#include "suites/wire/campaign/sort_copies.h"
#include "suites/wire/client/play.h"

namespace parity::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kMostDeaths = 3;
// How long a server that answered nothing may take to be seen dead.
constexpr double kDeathSeconds = 0.05;

}  // namespace

SessionPlayer::SessionPlayer(const Probes& probes, std::size_t side, const PlannedSession& session,
                             StartServer start)
    : probes_(probes),
      side_(side),
      session_(session),
      start_(std::move(start)),
      watch_(probes, side, &record_) {
  record_.name = session.name;
  record_.transcript.side = side == kReferenceSide ? "reference" : "candidate";
}

SessionRecord SessionPlayer::Play() {
  Start();
  for (const Place& place : session_.places) {
    if (deaths_ >= kMostDeaths) {
      const std::string times = std::to_string(kMostDeaths);
      record_.deaths.push_back(
          {place.Name(), "not run: it died " + times + " times before", false});
      continue;
    }
    try {
      if (server_ == nullptr) Start();
      PlayPlace(place);
      if (server_ != nullptr && !place.probe->ends_server && !server_->alive()) {
        TellDeath(place, server_->WaitForEnd(1) == nullptr ? "ended" : server_->Kill().text);
      }
    } catch (const SideFailure& failure) {
      TellDeath(place, failure.death().Text());
    } catch (const NotAnswered& missing) {
      record_.deaths.push_back({place.Name(), std::string("not asked: ") + missing.what(), false});
    }
  }
  if (server_ != nullptr) End(false);
  return std::move(record_);
}

void SessionPlayer::Start() {
  server_ = start_();
  const json models = json::parse(server_->Client().Get("/v1/models").body, nullptr, false);
  const json::json_pointer name("/data/0/id");
  const bool named = models.contains(name) && models.at(name).is_string();
  const std::string model = named ? models.at(name).get<std::string>() : server_->spec().name;
  // What an earlier server of this session answered stays known.
  if (known_ == nullptr) known_ = std::make_unique<Known>(model);
  watch_.Begin(server_->port(), server_->spec().server.counters_path);
  provenance_ = server_->provenance();
  record_.transcript.server = provenance_;
}

void SessionPlayer::TellDeath(const Place& place, const std::string& text) {
  ++deaths_;
  record_.deaths.push_back({place.Name(), text, true});
  if (server_ != nullptr) output_ = server_->OutputTail();
  server_.reset();
}

bool SessionPlayer::WaitedInVain(const Place& place) const {
  const std::vector<Exchange>& all = record_.transcript.exchanges;
  return std::any_of(all.begin(), all.end(), [&](const Exchange& exchange) {
    return IsOf(place, exchange.name) && exchange.Has(EventKind::kTimedOut);
  });
}

bool SessionPlayer::Answers() const {
  PlannedAsk ask = PlanScrape("", server_->spec().server.ready_path, "");
  ask.script.seconds = probes_.limits.settle_seconds;
  return Played(server_->port(), std::move(ask)).Has(EventKind::kReceived);
}

AskContext SessionPlayer::Context() const {
  return {&probes_, session_.lane, side_, &known_->values(), &record_.transcript};
}

void SessionPlayer::PlayPlace(const Place& place) {
  watch_.Before(place);
  if (place.probe->ends_server) objects_ = server_->MappedObjects();
  if (place.probe->growth) {
    Measure(place);
  } else {
    PlayAsks(place);
  }
  if (place.probe->ends_server) return End(true);
  // A server that is gone has no counters, and is told as that.
  if (!server_->alive() || server_->WaitForEnd(0) != nullptr) return;
  if (WaitedInVain(place) && !Answers()) {
    return TellDeath(place, "runs, but answers nothing any more");
  }
  watch_.After(place);
}

void SessionPlayer::PlayAsks(const Place& place) {
  const auto play = [&](std::vector<PlannedAsk> asks) {
    std::vector<Script> scripts;
    for (const PlannedAsk& ask : asks) scripts.push_back(ask.script);
    const Calls calls = {
        {"stop_server", [this] { server_->Signal(SignalOf(server_->spec().server.stop_signal)); }}};
    Keep(place, std::move(asks), wire::Play(server_->port(), scripts, calls));
  };
  play(PlanAsks(place, Context()));
  for (const Ask& ask : place.probe->after) play({PlanAfter(place, ask, Context())});
}

void SessionPlayer::Keep(const Place& place, std::vector<PlannedAsk> asks,
                         std::vector<std::vector<ConnectionEvent>> events) {
  bool answered = false;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    asks[i].exchange.events = std::move(events[i]);
    answered = answered || asks[i].exchange.Has(EventKind::kReceived);
  }
  if (asks.size() > 1) SortCopies(*place.probe, &asks);
  for (PlannedAsk& ask : asks) {
    known_->Learn(*place.probe, ask.exchange.requests[0].surface, ask.further, ask.exchange);
    record_.transcript.exchanges.push_back(std::move(ask.exchange));
  }
  // It may be dying of this.
  if (!answered && !place.probe->ends_server) server_->WaitForEnd(kDeathSeconds);
}

void SessionPlayer::Measure(const Place& place) {
  const Growth& growth = *place.probe->growth;
  const auto repeat = [&](std::uint64_t times) {
    Exchange last;
    for (std::uint64_t i = 0; i < times; ++i) {
      last = Played(server_->port(), PlanAsks(place, Context()).at(0));
    }
    return last;
  };
  repeat(growth.warm);
  const auto look = [&] { return server_->Resources(); };
  const ResourceUse before = LeastHeld(look, std::nullopt);
  Exchange last = repeat(growth.times);
  const ResourceUse after = LeastHeld(look, before.descriptors);
  record_.growth.push_back({place.Name(), before.descriptors, after.descriptors,
                            before.resident_bytes, after.resident_bytes});
  record_.transcript.exchanges.push_back(std::move(last));
}

void SessionPlayer::End(bool asked_already) {
  if (!asked_already) objects_ = server_->MappedObjects();
  if (asked_already) server_->WaitForEnd(server_->spec().server.stop_seconds);
  const ServerEnd& end = asked_already ? server_->Kill() : server_->Stop();
  EndFact fact;
  fact.text = end.by_itself ? end.text : "killed, as it did not end in time";
  fact.as_asked = end.by_itself && end.status.value_or(1) == 0;
  fact.left = end.left;
  record_.end = fact;
  output_ = server_->OutputTail();
  server_.reset();
}

}  // namespace parity::wire
