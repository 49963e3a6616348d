// parity_tiny_server: an engine that serves, behind HTTP.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "gtest_parity/engines/tiny/server/http_front.h"
#include "gtest_parity/engines/tiny/server/worker.h"

namespace {

struct Options {
  std::string plugin, engine, config;
  int port = 0;
};

// Serves until SIGTERM or SIGINT, which every thread must have blocked.
int ServeUntilSignal(const Options& options, const sigset_t& signals) {
  parity::Worker worker(options.plugin, options.engine, options.config);
  parity::HttpFront front(worker, options.engine);
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
  front.Stop();
  listener.join();
  worker.Serve("{\"do\": \"stop\"}");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("An engine of this project behind OpenAI's HTTP surface");
  app.add_option("--plugin", options.plugin, "the engine's library")->required();
  app.add_option("--engine", options.engine, "its name")->required();
  app.add_option("--config", options.config, "its configuration, a JSON object")->required();
  app.add_option("--port", options.port, "on 127.0.0.1; 0: any")->check(CLI::Range(0, 65535));
  CLI11_PARSE(app, argc, argv);
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
