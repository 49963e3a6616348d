// Each side as what its manifest says that it is: an engine plugin or a server.
#ifndef GTEST_PARITY_SUITES_KV_SIDE_SERVERS_H_
#define GTEST_PARITY_SUITES_KV_SIDE_SERVERS_H_

#include <memory>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/session/session.h"
#include "suites/kv/http_servers.h"
#include "suites/kv/plugin_servers.h"
#include "suites/kv/state_servers.h"

namespace parity::kv {

class SideServers : public Servers {
 public:
  // `manifest` outlives this object. Throws InvalidInput as HttpServers does, and for a server in a
  // manifest whose engines are asked by saved states.
  SideServers(const Manifest& manifest, const SessionOptions& options);
  std::unique_ptr<Server> Start(const ServerStart& start) override;
  void ExpectServes(bool reference) override;

 private:
  Servers& Of(bool reference);

  const Manifest& manifest_;
  PluginServers plugins_;
  StateServers states_;
  HttpServers servers_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_SIDE_SERVERS_H_
