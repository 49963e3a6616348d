#include "gtest_parity/engines/tiny/server/mutant_hooks.h"

namespace parity::tiny_server {
namespace {

// The body of an error, as long as `change` is at it; nothing else is touched.
template <typename Change>
void ChangeError(httplib::Response& reply, Change change) {
  Json body = Json::parse(reply.body, nullptr, false);
  if (reply.status < 400 || !body.is_object() || !body.contains("error")) return;
  change(body);
  reply.body = body.dump() + "\n";
  reply.headers.erase("Content-Length");
  reply.set_header("Content-Length", std::to_string(reply.body.size()));
}

void Increase(Json& number, std::uint64_t by) { number = number.get<std::uint64_t>() + by; }

// Where an answer has its text; NULL: it has none.
Json* TextIn(Json& body, Surface surface) {
  if (surface == Surface::kCompletions) return &body["choices"][0]["text"];
  if (surface == Surface::kChat) return &body["choices"][0]["message"]["content"];
  Json& items = body[surface == Surface::kMessages ? "content" : "output"];
  for (Json& item : items) {
    if (item["type"] == "text") return &item["text"];
    if (item["type"] == "message") return &item["content"][0]["text"];
  }
  return nullptr;
}

}  // namespace

void SumOneMore(Json& body, Surface surface) {
  if (surface != Surface::kMessages) Increase(body["usage"]["total_tokens"], 1);
}

void CacheMoreThanThereIs(Json& body, Surface surface) {
  Json& usage = body["usage"];
  if (surface == Surface::kResponses) {
    usage["input_tokens_details"]["cached_tokens"] = usage["input_tokens"].get<std::uint64_t>() + 1;
  } else if (surface != Surface::kMessages) {
    usage["prompt_tokens_details"]["cached_tokens"] =
        usage["prompt_tokens"].get<std::uint64_t>() + 1;
  }
}

void CountCachedTwice(Json& body, Surface surface) {
  if (surface != Surface::kMessages) return;
  Json& usage = body["usage"];
  Increase(usage["input_tokens"], usage["cache_read_input_tokens"].get<std::uint64_t>());
}

void ShortenText(Json& body, Surface surface) {
  Json* text = TextIn(body, surface);
  if (text == nullptr || !text->is_string()) return;
  const std::string whole = text->get<std::string>();
  if (!whole.empty()) *text = whole.substr(0, whole.size() - 1);
}

void RepeatIds(Json& body, Surface) {
  const std::string id = body["id"].get<std::string>();
  body["id"] = id.substr(0, id.find_last_of("-_") + 1) + "1";
}

void StopTheCut(Json& body, Surface surface) {
  if (surface == Surface::kMessages) {
    if (body["stop_reason"] == "max_tokens") body["stop_reason"] = "end_turn";
  } else if (surface == Surface::kResponses) {
    body["status"] = "completed";
  } else if (body["choices"][0]["finish_reason"] == "length") {
    body["choices"][0]["finish_reason"] = "stop";
  }
}

void NumberCodes(httplib::Response& reply) {
  ChangeError(reply, [&](Json& body) {
    if (body["error"].contains("code")) body["error"]["code"] = reply.status;
  });
}

void DropErrorParam(httplib::Response& reply) {
  ChangeError(reply, [](Json& body) { body["error"].erase("param"); });
}

void SpeakOpenAi(httplib::Response& reply) {
  ChangeError(reply, [](Json& body) {
    if (!body.contains("type")) return;
    body["error"]["param"] = nullptr;
    body["error"]["code"] = nullptr;
    body.erase("type");
  });
}

void SayPlainText(httplib::Response& reply) {
  if (reply.status < 400) return;
  reply.headers.erase("Content-Type");
  reply.set_header("Content-Type", "text/plain");
}

void DropCors(httplib::Response& reply) {
  for (const char* name : {"Access-Control-Allow-Origin", "Access-Control-Allow-Headers"}) {
    reply.headers.erase(name);
  }
}

void DropRetryAfter(httplib::Response& reply) { reply.headers.erase("Retry-After"); }

// The checksum and the length of a gzip stream are its last eight bytes.
void CutCoded(httplib::Response& reply) {
  constexpr std::size_t kTrailer = 8;
  if (!reply.has_header("Content-Encoding") || reply.body.size() <= kTrailer) return;
  reply.body.resize(reply.body.size() - kTrailer);
  reply.headers.erase("Content-Length");
  reply.set_header("Content-Length", std::to_string(reply.body.size()));
}

void ShedAsFailure(httplib::Response& reply) {
  if (reply.status == 429 || reply.status == 503) reply.status = 500;
}

}  // namespace parity::tiny_server
