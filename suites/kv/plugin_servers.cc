#include "suites/kv/plugin_servers.h"

#include <utility>

#include "gtest_parity/manifest/read_description.h"
#include "gtest_parity/replay/side_files.h"
#include "gtest_parity/side/engine_process.h"
#include "suites/kv/answer.h"

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
    if (response.empty()) throw NotOffered("the engine does not serve requests");
    return WithEverythingTold(std::move(response));
  }

  json Counters() override {
    std::vector<Script> scripts(ranks_);
    scripts[0].Counters();
    return json::parse(side_.Run(scripts)[0][0].words);
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
  const SideDeclaration& declared = start.reference ? manifest_.reference : manifest_.candidate;
  SideOptions side;
  side.name = start.reference ? "reference" : "candidate";
  side.library = declared.library;
  side.engine = declared.engine;
  side.config = declared.config;
  side.config.merge_patch(start.config);
  if (!start.folder.empty()) side.config["kv"]["folder"] = start.folder;
  side.env = declared.env;
  side.library_path = declared.library_path;
  side.ranks = start.ranks;
  side.in_threads = manifest_.ranks.in_threads;
  const std::string& description =
      start.description.empty() ? declared.description : start.description;
  side.description = ReadDescription(description, start.ranks);
  side.description_json = ReadJson(description);
  side.deadline_seconds = manifest_.deadline_seconds;
  side.memory_limit_bytes = declared.memory_limit_bytes;
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
  } catch (const SideFailure&) {  // is told where it matters
  }
}

}  // namespace parity::kv
