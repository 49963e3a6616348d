// Answers requests with one rank, or for all ranks of a side from rank 0.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SERVER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SERVER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/serve/continuous_lane.h"
#include "gtest_parity/engines/tiny/serve/generation.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"
#include "gtest_parity/engines/tiny/serve/pieces.h"
#include "gtest_parity/engines/tiny/serve/request.h"
#include "gtest_parity/engines/tiny/serve/serial_lane.h"
#include "gtest_parity/engines/tiny/serve/tool_map.h"
#include "gtest_parity/engines/tiny/serve/workers.h"

namespace parity::tiny {

class Server {
 public:
  // What it is made of must outlive it.
  Server(Rank& rank, const EngineConfig& config, const KvImplementation& kv, Tokenizer& tokenizer);

  // Throws EngineError. On ranks but 0 the answer is {}.
  nlohmann::ordered_json Answer(const char* request);
  // Live sessions end, and nothing is stored.
  void Forget();
  // Monotonic, by name.
  std::map<std::string, std::uint64_t> Counters() const;

 private:
  struct Costs {
    std::uint64_t ops, rows;
  };
  nlohmann::ordered_json AnswerAlone(const char* text);
  std::unique_ptr<Generation> Begin(const ServeRequest& request);
  nlohmann::ordered_json Complete(const ServeRequest& request);
  nlohmann::ordered_json Open(const ServeRequest& request);
  nlohmann::ordered_json Step(const std::vector<std::uint64_t>& generations);
  nlohmann::ordered_json Close(const std::vector<std::uint64_t>& generations);
  Generation& OpenOne(std::uint64_t generation);
  nlohmann::ordered_json Restore(const ServeRequest& request);
  nlohmann::ordered_json Stop();
  std::string RenderWithMaps(const ServeRequest& request);
  nlohmann::ordered_json TakeEvents();
  nlohmann::ordered_json WithCosts(nlohmann::ordered_json answer, Costs before);
  Lane& LaneOf(const ServeRequest& request);

  KvKnobs knobs_;
  Workers workers_;
  std::unique_ptr<KvPolicy> policy_;
  std::vector<KvEvent> events_;
  std::map<std::string, std::uint64_t> counters_;
  Tokenizer& tokenizer_;
  Pieces pieces_;
  ToolMap tools_;
  std::unique_ptr<KvStore> store_;
  SessionDriver driver_;
  SerialLane serial_;
  ContinuousLane continuous_;
  std::map<std::uint64_t, std::unique_ptr<Generation>> open_;  // by number
  std::uint64_t opened_ = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SERVER_H_
