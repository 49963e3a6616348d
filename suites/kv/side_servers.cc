#include "suites/kv/side_servers.h"

namespace parity::kv {

SideServers::SideServers(const Manifest& manifest, const SessionOptions& options)
    : manifest_(manifest),
      plugins_(manifest, {options.host_program, options.host_wrapper, ""}, options.log_folder),
      servers_(manifest, {options.host_program, options.host_wrapper, options.log_folder,
                          manifest.deadline_seconds}) {}

std::unique_ptr<Server> SideServers::Start(const ServerStart& start) {
  return IsServer(start.reference) ? servers_.Start(start) : plugins_.Start(start);
}

// A server is asked nothing before it is started with a store.
void SideServers::ExpectServes(bool reference) {
  if (!IsServer(reference)) plugins_.ExpectServes(reference);
}

bool SideServers::IsServer(bool reference) const {
  return (reference ? manifest_.reference : manifest_.candidate).server.has_value();
}

}  // namespace parity::kv
