#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {

WireError WireErrorOf(const EngineError& error, const std::string& overflow_param) {
  const std::string words = error.what();
  if (error.status() == PARITY_REFUSED && words.find("context_limit") != std::string::npos) {
    return {400, words, overflow_param, "context_length_exceeded"};
  }
  if (error.status() == PARITY_REFUSED) return {503, words, "", "", 5};
  if (error.status() == PARITY_INVALID) return {400, words, "", "invalid"};
  return {500, words};
}

std::string OpenAiErrorType(int status) {
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

std::string AnthropicErrorType(int status) {
  switch (status) {
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
      return "overloaded_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}

}  // namespace parity::tiny_server
