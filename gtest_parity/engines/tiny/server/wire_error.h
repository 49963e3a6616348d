// What a client is told instead of an answer.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_WIRE_ERROR_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_WIRE_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "gtest_parity/engine/error.h"

namespace parity::tiny_server {

struct WireError : std::runtime_error {
  WireError(int http_status, const std::string& message, std::string of_param = "",
            std::string of_code = "", int retry_after_s = 0)
      : std::runtime_error(message),
        status(http_status),
        param(std::move(of_param)),
        code(std::move(of_code)),
        retry_after(retry_after_s) {}

  int status;         // of HTTP
  std::string param;  // the client's own field; empty: none
  std::string code;   // empty: none
  int retry_after;    // seconds; 0: the header is not sent
};

// Of a field that is not as it should be.
inline WireError Bad(const std::string& param, const std::string& expected) {
  return {400, param + ": expected " + expected, param};
}

// Of an error of the engine. `overflow_param` names the prompt where it does not fit.
WireError WireErrorOf(const EngineError& error, const std::string& overflow_param);

// The names that the two families of APIs have for a status.
std::string OpenAiErrorType(int status);
std::string AnthropicErrorType(int status);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_WIRE_ERROR_H_
