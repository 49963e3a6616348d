// Sides that are engine plugins without a server: the harness serves them, from saved states.
#ifndef GTEST_PARITY_SUITES_KV_STATE_SERVERS_H_
#define GTEST_PARITY_SUITES_KV_STATE_SERVERS_H_

#include <memory>
#include <string>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/side/host_process.h"
#include "suites/kv/server.h"

namespace parity::kv {

class StateServer;

class StateServers : public Servers {
 public:
  // `manifest` outlives this object. Hosts' output goes to `log_folder`, if any.
  StateServers(const Manifest& manifest, HostOptions host, std::string log_folder);
  std::unique_ptr<Server> Start(const ServerStart& start) override;
  void ExpectServes(bool reference) override;

 private:
  std::unique_ptr<StateServer> Make(const ServerStart& start) const;

  const Manifest& manifest_;
  HostOptions host_;
  std::string log_folder_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_STATE_SERVERS_H_
