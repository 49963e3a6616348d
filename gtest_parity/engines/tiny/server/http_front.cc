#include "gtest_parity/engines/tiny/server/http_front.h"

#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/engines/tiny/server/openai.h"

namespace parity {
namespace {

constexpr char kJson[] = "application/json";

// What `body` returns, or what it threw.
template <typename Body>
void Answer(httplib::Response& response, Body body) {
  try {
    response.set_content(body(), kJson);
  } catch (const EngineError& error) {
    const HttpError told = HttpErrorOf(error);
    response.status = told.status;
    response.set_content(told.body, kJson);
  }
}

}  // namespace

HttpFront::HttpFront(Worker& worker, std::string model)
    : worker_(worker), model_(std::move(model)) {
  using httplib::Request;
  using httplib::Response;
  server_.Post("/v1/completions", [this](const Request& request, Response& response) {
    Complete(request, response, false);
  });
  server_.Post("/v1/chat/completions", [this](const Request& request, Response& response) {
    Complete(request, response, true);
  });
  server_.Get("/v1/models", [this](const Request&, Response& response) {
    const nlohmann::ordered_json model = {
        {"id", model_}, {"object", "model"}, {"owned_by", "gtest_parity"}};
    const nlohmann::ordered_json list = {{"object", "list"},
                                         {"data", nlohmann::ordered_json::array({model})}};
    response.set_content(list.dump(), kJson);
  });
  server_.Get("/v1/stats", [this](const Request&, Response& response) {
    Answer(response, [this] { return worker_.Counters(); });
  });
  server_.Get("/health", [](const Request&, Response& response) {
    response.set_content("{\"status\":\"ok\"}", kJson);
  });
}

int HttpFront::Bind(int port) {
  constexpr char kHost[] = "127.0.0.1";
  if (port == 0) return server_.bind_to_any_port(kHost);
  return server_.bind_to_port(kHost, port) ? port : -1;
}

void HttpFront::Stop() {
  // Before it runs, httplib takes no notice of `stop`.
  while (!server_.is_running()) std::this_thread::yield();
  server_.stop();
}

void HttpFront::Complete(const httplib::Request& request, httplib::Response& response, bool chat) {
  Answer(response, [&] {
    const std::string served = worker_.Serve(ServeRequestOf(request.body, chat));
    return CompletionOf(served, model_, chat, ++answers_);
  });
}

}  // namespace parity
