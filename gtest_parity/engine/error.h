// What a call into an engine came to when it was not PARITY_OK.
#ifndef GTEST_PARITY_ENGINE_ERROR_H_
#define GTEST_PARITY_ENGINE_ERROR_H_

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "gtest_parity/engine/engine.h"

namespace parity {

// "failed", "refused", "device lost", ...
std::string_view NameOf(parity_status status);

class EngineError : public std::runtime_error {
 public:
  EngineError(parity_status status, const std::string& words)
      : std::runtime_error(words), status_(status) {}
  parity_status status() const { return status_; }

 private:
  parity_status status_;
};

// Why an engine declined, as its guard tells it.
struct Refusal {
  std::string guard, condition;
  std::string operands;  // a JSON object
  std::string words;     // the engine's own, of that call
};

class RefusedError : public EngineError {
 public:
  RefusedError(Refusal refusal, const std::string& words)
      : EngineError(PARITY_REFUSED, words), refusal_(std::move(refusal)) {}
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_ERROR_H_
