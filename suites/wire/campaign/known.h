// What a server has answered so far, for requests that speak of it.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_KNOWN_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_KNOWN_H_

#include <nlohmann/json.hpp>
#include <string>

#include "suites/wire/probes/probe.h"

namespace parity::wire {

// {"model": its name, "chat": {"plain": {text, reasoning, finish, id, prompt_tokens, output_tokens,
// calls: [{id, name, arguments}], pieces: texts of the stream's events, last_piece, stop_at: one of
// them, stop_inside: the end of one and the beginning of the next}}}. A further connection's answer
// is under its name.
class Known {
 public:
  explicit Known(const std::string& model) : values_({{"model", model}}) {}

  // `further`: the connection's name, or empty. What is known of it already is replaced.
  void Learn(const Probe& probe, Surface surface, const std::string& further,
             const Exchange& exchange);
  const nlohmann::json& values() const { return values_; }

 private:
  nlohmann::json values_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_KNOWN_H_
