#include "suites/kv/state_servers.h"

#include <utility>

#include "gtest_parity/side/engine_process.h"
#include "suites/kv/plugin_side.h"
#include "suites/kv/state_server.h"
#include "suites/kv/store_folder.h"

namespace parity::kv {

StateServers::StateServers(const Manifest& manifest, HostOptions host, std::string log_folder)
    : manifest_(manifest), host_(std::move(host)), log_folder_(std::move(log_folder)) {}

std::unique_ptr<StateServer> StateServers::Make(const ServerStart& start) const {
  SideOptions side = PluginSideOf(manifest_, start);
  StateDriving driving;
  driving.description = side.description;
  driving.ranks = start.ranks;
  driving.chunk = manifest_.workload.chunk;
  driving.seed = manifest_.workload.seed;
  HostOptions host = host_;
  if (!log_folder_.empty()) host.log_path = log_folder_ + "/" + side.name + ".log";
  return std::make_unique<StateServer>(
      std::make_unique<EngineProcess>(std::move(side), std::move(host)), std::move(driving),
      start.folder);
}

std::unique_ptr<Server> StateServers::Start(const ServerStart& start) { return Make(start); }

void StateServers::ExpectServes(bool reference) {
  const TemporaryFolder folder("parity_kv");
  ServerStart start;
  start.reference = reference;
  start.ranks = manifest_.ranks.count;
  start.folder = folder.path();
  try {
    Make(start)->ExpectStates();
  } catch (const SideFailure&) {
    return;  // is told where it matters
  }
}

}  // namespace parity::kv
