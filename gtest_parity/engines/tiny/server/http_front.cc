// Routes that are no generation, and what all have in common.
#include "gtest_parity/engines/tiny/server/http_front.h"

#include <sys/socket.h>

#include <map>
#include <thread>
#include <utility>

namespace parity::tiny_server {
namespace {

constexpr char kJson[] = "application/json";
constexpr std::int64_t kModelCreated = 1767225600;

const std::map<std::string, Surface>& SurfacePaths() {
  static const std::map<std::string, Surface> kPaths = {{"/v1/chat/completions", Surface::kChat},
                                                        {"/v1/completions", Surface::kCompletions},
                                                        {"/v1/messages", Surface::kMessages},
                                                        {"/v1/responses", Surface::kResponses}};
  return kPaths;
}

Surface SurfaceAt(const std::string& path) {
  const auto found = SurfacePaths().find(path);
  return found == SurfacePaths().end() ? Surface::kChat : found->second;
}

// What may be asked at a path; empty: there is no such path.
std::string MethodsAt(const std::string& path) {
  if (SurfacePaths().contains(path)) return "POST, OPTIONS";
  const bool known = path == "/v1/models" || path == "/v1/stats" || path == "/metrics" ||
                     path == "/health" || path.starts_with("/v1/models/");
  return known ? "GET, HEAD, OPTIONS" : "";
}

void LimitSendBuffer(socket_t socket, std::uint64_t bytes) {
  const int yes = 1, size = static_cast<int>(bytes);
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

}  // namespace

HttpFront::HttpFront(Parts parts) : parts_(std::move(parts)) {
  SetLimits();
  AddRoutes();
}

void HttpFront::SetLimits() {
  const ServerOptions& options = parts_.options;
  // Some threads more than clients, which are told that they are too many, or ask for figures.
  const std::size_t threads = options.max_clients + 8;
  server_.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
  server_.set_payload_max_length(options.max_body_bytes);
  server_.set_write_timeout(2, 0);
  server_.set_tcp_nodelay(true);
  server_.set_default_headers(
      {{"Access-Control-Allow-Origin", "*"},
       {"Access-Control-Allow-Methods", "GET, POST, OPTIONS"},
       {"Access-Control-Allow-Headers",
        "authorization, content-type, x-api-key, anthropic-version, anthropic-beta, "
        "anthropic-dangerous-direct-browser-access, idempotency-key, x-stainless-arch, "
        "x-stainless-async, x-stainless-helper-method, x-stainless-lang, x-stainless-os, "
        "x-stainless-package-version, x-stainless-retry-count, x-stainless-runtime, "
        "x-stainless-runtime-version, x-stainless-timeout"}});
  if (options.send_buffer_bytes == 0) return;
  server_.set_socket_options(
      [&options](socket_t socket) { LimitSendBuffer(socket, options.send_buffer_bytes); });
}

void HttpFront::AddSurface(const char* path, Surface surface) {
  server_.Post(path, [this, surface](const Request& request, Response& response) {
    Generate(surface, request, response);
  });
}

void HttpFront::AddRoutes() {
  for (const auto& [path, surface] : SurfacePaths()) AddSurface(path.c_str(), surface);
  server_.Get("/v1/models", [this](const Request&, Response& response) {
    const Json list = {{"object", "list"}, {"data", Json::array({ModelObject()})}};
    response.set_content(list.dump() + "\n", kJson);
  });
  server_.Get("/v1/models/(.+)",
              [this](const Request& request, Response& response) { TellModel(request, response); });
  server_.Get("/v1/stats", [this](const Request&, Response& response) { TellStats(response); });
  server_.Get("/metrics", [this](const Request&, Response& response) {
    response.set_content(Metrics(), "text/plain; version=0.0.4");
  });
  server_.Get("/health", [](const Request&, Response& response) {
    response.set_content("{\"status\":\"ok\"}\n", kJson);
  });
  server_.Options(".*", [](const Request&, Response& response) { response.status = 204; });
  server_.set_error_handler(
      [this](const Request& request, Response& response) { ExplainStatus(request, response); });
  server_.set_post_routing_handler([this](const Request&, Response& response) {
    const WireMutant* mutant = parts_.options.mutant;
    if (mutant != nullptr && mutant->hooks.reply != nullptr) mutant->hooks.reply(response);
  });
}

Json HttpFront::ModelObject() const {
  return {{"id", parts_.model},
          {"object", "model"},
          {"created", kModelCreated},
          {"owned_by", "gtest_parity"}};
}

void HttpFront::TellModel(const Request& request, Response& response) const {
  const std::string id = request.matches[1];
  if (id == parts_.model) {
    response.set_content(ModelObject().dump() + "\n", kJson);
    return;
  }
  SendError(Surface::kChat,
            WireError(404, "there is no model \"" + id + "\"", "model", "model_not_found"),
            response);
}

std::string HttpFront::Metrics() const {
  Figures figures = parts_.ledger.Now();
  if (Mutated(parts_.options, Quirk::kAbortedInOneFamily)) {
    figures.started -= figures.outcomes[static_cast<int>(Outcome::kCanceled)];
  }
  return MetricsOf(figures,
                   parts_.options.gathered || Mutated(parts_.options, Quirk::kZeroForAbsent));
}

// The engine's counters, and under "server" those of what is in front of it.
void HttpFront::TellStats(Response& response) {
  try {
    Json stats = Json::parse(parts_.scheduler.Counters());
    Figures figures = parts_.ledger.Now();
    if (Mutated(parts_.options, Quirk::kClaimsNotCounted)) figures.claimed = 0;
    stats["server"] = StatsOf(figures);
    response.set_content(stats.dump() + "\n", kJson);
  } catch (const WireError& error) {
    SendError(Surface::kChat, error, response);
  } catch (const EngineError& error) {
    SendError(Surface::kChat, WireErrorOf(error, ""), response);
  }
}

// What httplib has decided by itself.
void HttpFront::ExplainStatus(const Request& request, Response& response) const {
  if (!response.body.empty()) return;
  const Surface surface = SurfaceAt(request.path);
  const std::string methods = MethodsAt(request.path);
  if (response.status == 404 && !methods.empty()) {
    response.set_header("Allow", methods);
    SendError(surface, WireError(405, request.method + " is not served here: " + methods),
              response);
  } else if (response.status == 404) {
    SendError(surface, WireError(404, "there is nothing at this path"), response);
  } else if (response.status == 413) {
    SendError(surface, WireError(413, "the body is too large"), response);
  } else {
    SendError(surface, WireError(response.status, "bad HTTP request"), response);
  }
}

void HttpFront::SendError(Surface surface, const WireError& error, Response& response) const {
  response.status = error.status;
  if (error.retry_after != 0) response.set_header("Retry-After", std::to_string(error.retry_after));
  const Json body = parts_.options.variant->error_body(surface, error);
  response.set_content(body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                       kJson);
}

int HttpFront::Bind(int port) {
  constexpr char kHost[] = "127.0.0.1";
  if (port == 0) return server_.bind_to_any_port(kHost);
  return server_.bind_to_port(kHost, port) ? port : -1;
}

void HttpFront::Stop() {
  // Before it runs, httplib takes no notice of `stop`.
  while (!server_.is_running()) std::this_thread::yield();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return streams_ == 0; });
  }
  server_.stop();
}

}  // namespace parity::tiny_server
