// Sides that are servers, each start in a process of its own and reached over HTTP.
#ifndef GTEST_PARITY_SUITES_KV_HTTP_SERVERS_H_
#define GTEST_PARITY_SUITES_KV_HTTP_SERVERS_H_

#include <memory>
#include <string>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/server/server_process.h"
#include "suites/kv/server.h"

namespace parity::kv {

class HttpServers : public Servers {
 public:
  // `manifest` outlives this object. `options.log_path` is a folder here, or empty. Throws
  // InvalidInput for a side whose command is told of no KV store.
  HttpServers(const Manifest& manifest, ServerOptions options);
  std::unique_ptr<Server> Start(const ServerStart& start) override;

 private:
  const Manifest& manifest_;
  ServerOptions options_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_HTTP_SERVERS_H_
