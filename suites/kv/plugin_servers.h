// Sides that are engine plugins, each in an engine host of its own.
#ifndef GTEST_PARITY_SUITES_KV_PLUGIN_SERVERS_H_
#define GTEST_PARITY_SUITES_KV_PLUGIN_SERVERS_H_

#include <memory>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/side/host_process.h"
#include "suites/kv/server.h"

namespace parity::kv {

class PluginServers : public Servers {
 public:
  // `manifest` outlives this object. Hosts' output goes to `log_folder`, if any.
  PluginServers(const Manifest& manifest, HostOptions host, std::string log_folder);
  std::unique_ptr<Server> Start(const ServerStart& start) override;
  // Without a KV store: an engine that serves nothing may refuse the configuration of one.
  void ExpectServes(bool reference) override;

 private:
  const Manifest& manifest_;
  HostOptions host_;
  std::string log_folder_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_PLUGIN_SERVERS_H_
