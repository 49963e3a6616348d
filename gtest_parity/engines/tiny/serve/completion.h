// One prompt's answer: admission, prefill, greedy decoding, and what is told of it.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_COMPLETION_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_COMPLETION_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/lane.h"
#include "gtest_parity/engines/tiny/serve/request.h"
#include "gtest_parity/engines/tiny/serve/session_driver.h"

namespace parity::tiny {

class Completion {
 public:
  struct Parts {
    const SessionDriver& driver;
    Tokenizer& tokenizer;
    ToolMap& tools;
    std::map<std::string, std::uint64_t>& counters;
  };
  explicit Completion(const Parts& parts) : parts_(parts) {}

  // `prompt` is the request's, rendered. Throws RefusedError (guard `context_limit`) where it does
  // not leave room for a token.
  nlohmann::ordered_json Run(const ServeRequest& request, const std::string& prompt, Lane& lane);

 private:
  struct Generated {
    std::vector<std::int32_t> ids;
    std::string bytes;
    std::vector<float> logits;  // a row for each id
    bool ended = false;         // the model chose to
  };

  void CheckRoom(std::size_t tokens) const;
  Generated Generate(const ServeRequest& request, Lane& lane, Session& session);
  std::int32_t BestOther(const Session& session) const;
  void Describe(const ServeRequest& request, const Generated& generated,
                nlohmann::ordered_json& answer);
  void Count(const ServeRequest& request, const Admission& admission,
             const nlohmann::ordered_json& usage);

  Parts parts_;
};

// What `restored` is in an answer.
nlohmann::ordered_json RestoredOf(const Admission& admission);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_COMPLETION_H_
