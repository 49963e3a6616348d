// parity_tiny_server: an engine that serves, behind HTTP.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "gtest_parity/engines/tiny/server/http_front.h"
#include "gtest_parity/engines/tiny/server/mutants.h"
#include "gtest_parity/engines/tiny/server/options.h"

namespace {

namespace server = parity::tiny_server;

struct Options {
  std::string plugin, engine, config, server = "{}", variant, mutant;
  int port = 0;
  bool list_mutants = false;
};

// The candidate's engine speaks with the candidate's projectors, unless it is told otherwise.
server::ServerOptions ServerOptionsOf(const Options& options) {
  server::Json json = server::Json::parse(options.server, nullptr, false);
  if (json.is_object() && !options.variant.empty()) json["variant"] = options.variant;
  if (json.is_object() && !options.mutant.empty()) json["mutant"] = options.mutant;
  server::ServerOptions parsed =
      server::ParseServerOptions(json.is_discarded() ? options.server : json.dump());
  const bool ported = options.engine == "ported";
  if (parsed.variant == nullptr) parsed.variant = ported ? &server::kPorted : &server::kReference;
  return parsed;
}

bool HasBanks(const std::string& config) {
  const server::Json json = server::Json::parse(config, nullptr, false);
  if (!json.is_object() || !json.contains("kv") || !json["kv"].is_object()) return true;
  return json["kv"].value("banks", server::Json(3)) != 0;
}

// Serves until SIGTERM or SIGINT, which every thread must have blocked.
int ServeUntilSignal(const Options& options, const sigset_t& signals) {
  const server::ServerOptions parsed = ServerOptionsOf(options);
  server::Ledger ledger;
  server::Registry registry(parsed.continuations, ledger);
  server::Scheduler scheduler(options.plugin, options.engine, options.config, parsed, ledger,
                              registry);
  server::HttpFront front(
      {scheduler, registry, ledger, parsed, options.engine, HasBanks(options.config)});
  const int port = front.Bind(options.port);
  if (port < 0) {
    std::fprintf(stderr, "port %d of 127.0.0.1 cannot be had\n", options.port);
    return 1;
  }
  std::printf("listening on 127.0.0.1:%d\n", port);
  std::fflush(stdout);
  std::thread listener([&front] { front.Listen(); });
  int signal = 0;
  sigwait(&signals, &signal);
  // Whoever comes now is told so, until the last answer is out.
  scheduler.Stop();
  front.Stop();
  listener.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("An engine of this project behind the HTTP surfaces of OpenAI and Anthropic");
  app.add_option("--plugin", options.plugin, "the engine's library");
  app.add_option("--engine", options.engine, "its name, and the model's");
  app.add_option("--config", options.config, "its configuration, a JSON object");
  app.add_option("--port", options.port, "on 127.0.0.1; 0: any")->check(CLI::Range(0, 65535));
  app.add_option("--server", options.server, "the server's own options, a JSON object");
  app.add_option("--variant", options.variant, "of the server: reference or ported");
  app.add_option("--mutant", options.mutant, "a deliberate fault of the wire");
  app.add_flag("--list_mutants", options.list_mutants, "print those, and end");
  CLI11_PARSE(app, argc, argv);
  if (options.list_mutants) {
    std::fputs(server::WireMutantTable().c_str(), stdout);
    return 0;
  }
  if (options.plugin.empty() || options.engine.empty() || options.config.empty()) {
    std::fputs("expected --plugin, --engine and --config\n", stderr);
    return 1;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    return ServeUntilSignal(options, signals);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
