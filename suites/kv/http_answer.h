// Requests of docs/serving.md as OpenAI's HTTP surface has them, and its answers as docs/serving.md
// has those.
#ifndef GTEST_PARITY_SUITES_KV_HTTP_ANSWER_H_
#define GTEST_PARITY_SUITES_KV_HTTP_ANSWER_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity::kv {

struct HttpRequest {
  std::string path;
  nlohmann::json body;
};

// `complete` alone: throws NotAskable for anything else that is done. What the surface has no field
// for goes under "parity".
HttpRequest HttpRequestOf(const nlohmann::json& request, const std::string& model);

// From standard fields, and from "parity" where there are none. What the server does not tell is
// left out and listed in `untold`. Throws std::runtime_error, naming what is missing, for what is
// no completion.
nlohmann::json ServedAnswerOf(const std::string& body, bool chat);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_HTTP_ANSWER_H_
