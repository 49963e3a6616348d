#include "suites/kv/plugin_servers.h"

#include <utility>

#include "gtest_parity/side/engine_process.h"
#include "suites/kv/answer.h"
#include "suites/kv/plugin_side.h"

namespace parity::kv {
namespace {

using nlohmann::json;

class PluginServer : public Server {
 public:
  PluginServer(SideOptions side, HostOptions host)
      : ranks_(side.ranks), side_(std::move(side), std::move(host)) {}

  std::string Ask(const json& request) override {
    std::vector<Script> scripts(ranks_);
    for (Script& script : scripts) script.Serve(request.dump());
    std::string response = side_.Run(scripts)[0][0].words;
    if (response.empty())
      throw NotOffered(
          "the engine does not serve requests (serve); one that saves and loads states is asked "
          "with "
          "kv: {by: states}");
    return WithEverythingTold(std::move(response));
  }

  json Counters() override {
    std::vector<Script> scripts(ranks_);
    scripts[0].Counters();
    const std::string counters = side_.Run(scripts)[0][0].words;
    return counters.empty() ? json::object() : json::parse(counters);
  }

  void Stop() override { Ask({{"do", "stop"}}); }
  std::string provenance() const override { return side_.provenance(); }
  std::vector<std::string> MappedObjects() const override { return side_.MappedObjects(); }
  std::string OutputTail() const override { return side_.OutputTail(); }
  std::vector<int> pids() const override { return side_.pids(); }

 private:
  std::uint32_t ranks_;
  EngineProcess side_;
};

}  // namespace

PluginServers::PluginServers(const Manifest& manifest, HostOptions host, std::string log_folder)
    : manifest_(manifest), host_(std::move(host)), log_folder_(std::move(log_folder)) {}

std::unique_ptr<Server> PluginServers::Start(const ServerStart& start) {
  SideOptions side = PluginSideOf(manifest_, start);
  if (!start.folder.empty()) side.config["kv"]["folder"] = start.folder;
  HostOptions host = host_;
  if (!log_folder_.empty()) host.log_path = log_folder_ + "/" + side.name + ".log";
  return std::make_unique<PluginServer>(std::move(side), std::move(host));
}

void PluginServers::ExpectServes(bool reference) {
  ServerStart start;
  start.reference = reference;
  start.ranks = manifest_.ranks.count;
  try {
    Start(start)->Stop();
  } catch (const SideFailure&) {
    return;  // is told where it matters
  }
}

}  // namespace parity::kv
