#include "suites/kv/side_servers.h"

namespace parity::kv {

SideServers::SideServers(const Manifest& manifest, const SessionOptions& options)
    : manifest_(manifest),
      plugins_(manifest, {options.host_program, options.host_wrapper, ""}, options.log_folder),
      servers_(manifest, {options.host_program, options.host_wrapper, options.log_folder,
                          manifest.deadline_seconds}) {}

std::unique_ptr<Server> SideServers::Start(const ServerStart& start) {
  const SideDeclaration& side = start.reference ? manifest_.reference : manifest_.candidate;
  return side.server ? servers_.Start(start) : plugins_.Start(start);
}

}  // namespace parity::kv
