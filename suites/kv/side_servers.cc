#include "suites/kv/side_servers.h"

namespace parity::kv {
namespace {

// What one keeps another could not name.
void ExpectPlugin(const Manifest& manifest, const SideDeclaration& side, const char* name) {
  if (manifest.kv.by != KvBy::kStates || !side.server) return;
  throw InvalidInput({{manifest.path, side.server_at, std::string(name) + ".server", "a server",
                       "an engine plugin, as kv.by is states"}});
}

}  // namespace

SideServers::SideServers(const Manifest& manifest, const SessionOptions& options)
    : manifest_(manifest),
      plugins_(manifest, {options.host_program, options.host_wrapper, ""}, options.log_folder),
      states_(manifest, {options.host_program, options.host_wrapper, ""}, options.log_folder),
      servers_(manifest, {options.host_program, options.host_wrapper, options.log_folder,
                          manifest.deadline_seconds}) {
  ExpectPlugin(manifest, manifest.reference, "reference");
  ExpectPlugin(manifest, manifest.candidate, "candidate");
}

std::unique_ptr<Server> SideServers::Start(const ServerStart& start) {
  return Of(start.reference).Start(start);
}

void SideServers::ExpectServes(bool reference) { Of(reference).ExpectServes(reference); }

// A server is asked nothing before it is started with a store.
Servers& SideServers::Of(bool reference) {
  if (manifest_.kv.by == KvBy::kStates) return states_;
  if ((reference ? manifest_.reference : manifest_.candidate).server) return servers_;
  return plugins_;
}

}  // namespace parity::kv
