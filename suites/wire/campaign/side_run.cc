#include "suites/wire/campaign/side_run.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gtest_parity/manifest/placeholders.h"
#include "suites/kv/store_folder.h"
#include "suites/wire/campaign/session_player.h"

namespace parity::wire {
namespace {

std::string SideName(std::size_t side) {
  return side == kReferenceSide ? "reference" : "candidate";
}

const SideDeclaration& SideOf(const Manifest& manifest, std::size_t side) {
  return side == kReferenceSide ? manifest.reference : manifest.candidate;
}

bool TakesConfig(const ServerDeclaration& server) {
  return Uses(server, "config") || Uses(server, "config_file");
}

class Runner {
 public:
  Runner(const Manifest& manifest, const SessionOptions& options, const Probes& probes,
         std::size_t side)
      : manifest_(manifest),
        options_(options),
        probes_(probes),
        side_(side),
        store_("parity_wire") {}

  SessionRecord Run(const PlannedSession& session, SideResult* result) {
    SessionPlayer player(probes_, side_, session, [&] { return Start(session); });
    try {
      SessionRecord record = player.Play();
      if (!player.objects().empty()) result->objects = player.objects();
      result->provenance = player.provenance();
      result->output = player.output();
      return record;
    } catch (const SideFailure& failure) {
      result->unready = failure.death().Text();
      return Unready(session, failure.death().Text());
    }
  }

 private:
  std::unique_ptr<ServerProcess> Start(const PlannedSession& session) {
    ServerSpec spec = SpecOf(SideOf(manifest_, side_), SideName(side_));
    spec.config.merge_patch(session.lane->config[side_]);
    const Probe& probe = *session.places[0].probe;
    if (probe.fresh) spec.config.merge_patch(probe.config);
    spec.kv_folder = store_.path();
    spec.ranks = manifest_.ranks.count;
    ServerOptions options;
    options.host_program = options_.host_program;
    options.wrapper = options_.host_wrapper;
    options.deadline_seconds = manifest_.deadline_seconds;
    if (!options_.log_folder.empty()) {
      options.log_path = options_.log_folder + "/" + SideName(side_) + "." + session.name + ".log";
    }
    auto server = std::make_unique<ServerProcess>(std::move(spec), std::move(options));
    server->WaitUntilReady();
    return server;
  }

  SessionRecord Unready(const PlannedSession& session, const std::string& text) const {
    SessionRecord record;
    record.name = session.name;
    record.transcript.side = SideName(side_);
    record.transcript.server = "never ready";
    for (const Place& place : session.places) record.deaths.push_back({place.Name(), text, false});
    return record;
  }

  const Manifest& manifest_;
  const SessionOptions& options_;
  const Probes& probes_;
  std::size_t side_;
  kv::TemporaryFolder store_;
};

void ExpectPlaces(const std::string& folder, const PlannedSession& session,
                  const SessionRecord& record) {
  Diagnostics missing;
  for (const Place& place : session.places) {
    const std::string name = place.Name();
    const std::string first = place.probe->own.copies == 1 ? name : name + ".0";
    if (record.transcript.Find(first) != nullptr || record.DeathAt(name) != nullptr) continue;
    missing.Add({folder + "/" + session.name + ".jsonl",
                 {},
                 "a selected case is not in it",
                 "",
                 "an exchange " + Quoted(first)});
  }
  missing.ThrowIfAny();
}

// What nobody asks for now was not asked of the other side either.
void KeepPlaces(const PlannedSession& session, SessionRecord* record) {
  std::erase_if(record->transcript.exchanges, [&](const Exchange& exchange) {
    return std::none_of(session.places.begin(), session.places.end(), [&](const Place& place) {
      const std::string name = place.Name();
      return exchange.name == name || exchange.name.starts_with(name + ".");
    });
  });
}

}  // namespace

const SessionRecord* SideResult::Find(const std::string& session) const {
  const auto found = std::find_if(sessions.begin(), sessions.end(),
                                  [&](const SessionRecord& one) { return one.name == session; });
  return found == sessions.end() ? nullptr : &*found;
}

void ExpectConfigurable(const Manifest& manifest, const Probes& probes) {
  Diagnostics errors;
  for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
    const SideDeclaration& declared = SideOf(manifest, side);
    if (!declared.server) {
      errors.Add({manifest.path, declared.engine_at, SideName(side), "an engine plugin",
                  "a server: the suite wire asks over HTTP"});
      continue;
    }
    if (TakesConfig(*declared.server)) continue;
    for (const WireLane& lane : probes.lanes) {
      if (lane.config[side].empty()) continue;
      errors.Add({manifest.path, declared.server_at, SideName(side) + ".server.command",
                  "neither {config} nor {config_file}",
                  "one of them: lane " + Quoted(lane.name) + " has a configuration of its own"});
    }
  }
  errors.ThrowIfAny();
}

SideResult RunSide(const Manifest& manifest, const SessionOptions& options, const Probes& probes,
                   std::size_t side, const std::vector<PlannedSession>& sessions,
                   const std::string& folder) {
  SideResult result;
  Runner runner(manifest, options, probes, side);
  std::size_t done = 0;
  for (const PlannedSession& session : sessions) {
    ++done;
    if (options.progress) {
      options.progress(SideName(side).c_str(), session.name, done, sessions.size());
    }
    result.sessions.push_back(runner.Run(session, &result));
    if (!folder.empty()) WriteSession(folder, result.sessions.back());
  }
  return result;
}

SideResult ReadSide(const std::string& folder, const std::vector<PlannedSession>& sessions) {
  SideResult result;
  for (const PlannedSession& session : sessions) {
    SessionRecord record = ReadSession(folder, session.name);
    ExpectPlaces(folder, session, record);
    KeepPlaces(session, &record);
    result.provenance = record.transcript.server + ", as in " + folder;
    result.sessions.push_back(std::move(record));
  }
  return result;
}

}  // namespace parity::wire
