// What this engine throws inside; the ABI glue turns it into a status and words.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_ERROR_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "gtest_parity/engine/engine.h"

namespace parity::llama_cpp {

class EngineError : public std::runtime_error {
 public:
  EngineError(parity_status status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  parity_status status() const { return status_; }

 private:
  parity_status status_;
};

// A guard declined, llama.cpp's or the engine's own: which one, its condition, and the values in it
// as JSON.
struct Refusal {
  std::string guard, condition, operands;
};

class RefusedError : public EngineError {
 public:
  RefusedError(Refusal refusal, const std::string& message)
      : EngineError(PARITY_REFUSED, message), refusal_(std::move(refusal)) {}
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

inline EngineError Invalid(const std::string& message) { return {PARITY_INVALID, message}; }
inline EngineError Failed(const std::string& message) { return {PARITY_FAILED, message}; }
inline EngineError Unsupported(const std::string& message) { return {PARITY_UNSUPPORTED, message}; }

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_ERROR_H_
