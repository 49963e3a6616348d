#include "suites/kv/http_servers.h"

#include <filesystem>
#include <utility>

#include "gtest_parity/manifest/placeholders.h"
#include "suites/kv/http_answer.h"

namespace parity::kv {
namespace {

using nlohmann::json;

bool TakesConfig(const ServerDeclaration& server) {
  return Uses(server, "config") || Uses(server, "config_file");
}

class HttpServer : public Server {
 public:
  HttpServer(ServerSpec spec, ServerOptions options)
      : process_(std::move(spec), std::move(options)) {
    process_.WaitUntilReady();
    model_ = ModelName();
  }

  std::string Ask(const json& request) override {
    if (request.value("do", "") == "stop") {
      Stop();
      return "{}";
    }
    const HttpRequest http = HttpRequestOf(request, model_);
    const std::string what = "POST " + http.path;
    const HttpReply reply = process_.Client().Post(http.path, http.body.dump());
    if (reply.status == 404 || reply.status == 405 || reply.status == 501) {
      throw NotOffered("the server does not offer " + what + ": status " +
                       std::to_string(reply.status));
    }
    if (!reply.Succeeded()) throw process_.FailureOf(reply, what);
    json answer = ServedAnswerOf(reply.body, http.path == "/v1/chat/completions");
    const std::string logits = request.value("logits", "");
    if (!logits.empty() && !std::filesystem::exists(logits)) answer["untold"].push_back("logits");
    return answer.dump();
  }

  json Counters() override { return process_.Counters().value_or(json::object()); }

  void Stop() override {
    objects_ = process_.MappedObjects();
    const ServerEnd& end = process_.Stop();
    const ServerDeclaration& server = process_.spec().server;
    const auto failed = [&](Death::Cause cause, const std::string& words) {
      Death death;
      death.cause = cause;
      death.what = words;
      death.run = "when it was stopped by " + server.stop_signal;
      death.of_server = true;
      death.output = process_.OutputTail();
      return SideFailure(death);
    };
    if (!end.by_itself) {
      throw failed(Death::Cause::kHang,
                   "it did not end in " + json(server.stop_seconds).dump() + " s and was killed");
    }
    if (*end.status != 0) throw failed(Death::Cause::kExit, end.text + ", expected 0");
    if (end.left.empty()) return;
    std::string words = "it left running:";
    for (const std::string& process : end.left) words += " " + process;
    throw failed(Death::Cause::kFailed, words);
  }

  std::string provenance() const override { return process_.provenance(); }
  std::vector<std::string> MappedObjects() const override {
    return objects_.empty() ? process_.MappedObjects() : objects_;
  }
  std::string OutputTail() const override { return process_.OutputTail(); }
  std::vector<int> pids() const override { return {process_.pid()}; }

 private:
  // What it calls its model, which a request must name.
  std::string ModelName() {
    const json models = json::parse(process_.Client().Get("/v1/models").body, nullptr, false);
    const json::json_pointer name("/data/0/id");
    return models.contains(name) && models.at(name).is_string() ? models.at(name).get<std::string>()
                                                                : process_.spec().name;
  }

  ServerProcess process_;
  std::string model_;
  std::vector<std::string> objects_;  // once it is stopped, which leaves none
};

void ExpectStore(const Manifest& manifest, const SideDeclaration& side, const std::string& name) {
  if (!side.server || TakesConfig(*side.server) || Uses(*side.server, "kv_folder")) return;
  throw InvalidInput({{manifest.path, side.server_at, name + ".server.command",
                       "neither {kv_folder} nor {config} nor {config_file}",
                       "one of them: every start gets a KV store of its own"}});
}

}  // namespace

HttpServers::HttpServers(const Manifest& manifest, ServerOptions options)
    : manifest_(manifest), options_(std::move(options)) {
  ExpectStore(manifest_, manifest_.reference, "reference");
  ExpectStore(manifest_, manifest_.candidate, "candidate");
}

std::unique_ptr<Server> HttpServers::Start(const ServerStart& start) {
  const std::string name = start.reference ? "reference" : "candidate";
  ServerSpec spec = SpecOf(start.reference ? manifest_.reference : manifest_.candidate, name);
  if (start.ranks != 1 && !Uses(spec.server, "ranks")) {
    throw NotAskable("the " + name + "'s command has no {ranks}: it cannot be started with " +
                     std::to_string(start.ranks));
  }
  if (!start.config.empty() && !TakesConfig(spec.server)) {
    throw NotAskable("the " + name +
                     "'s command has neither {config} nor {config_file}: what the lane configures "
                     "does not reach it");
  }
  spec.config.merge_patch(start.config);
  spec.config["kv"]["folder"] = start.folder;
  spec.kv_folder = start.folder;
  spec.ranks = start.ranks;
  ServerOptions options = options_;
  if (!options.log_path.empty()) options.log_path += "/" + name + ".log";
  return std::make_unique<HttpServer>(std::move(spec), std::move(options));
}

}  // namespace parity::kv
