// Drives the engine llama_cpp through the C ABI, as a harness would.
#ifndef GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_LLAMA_DRIVER_H_
#define GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_LLAMA_DRIVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

using Tokens = std::vector<std::int32_t>;
using Values = std::vector<float>;

// Of the plugin that this program is built for: there is one program for each installation, as two
// of them in one process might share symbols.
const parity_engine_api& LlamaApi();
// build/models/<name>.gguf
std::string LlamaModel(const std::string& name = "kjv-2m.f32");
// Of the tiny model, with `over` laid over it.
std::string LlamaConfig(const nlohmann::json& over = nlohmann::json::object());

struct Part {
  std::uint32_t slot;
  Tokens tokens;
};

// One rank and the sequences it holds.
class LlamaRank {
 public:
  // Throws EngineError unless it can be made.
  explicit LlamaRank(const nlohmann::json& over = nlohmann::json::object());
  ~LlamaRank();
  LlamaRank(const LlamaRank&) = delete;
  LlamaRank& operator=(const LlamaRank&) = delete;

  // The parts as the next tokens of their sequences.
  parity_status Stage(const std::string& program, const std::vector<Part>& parts);
  parity_status Run(const std::string& program);
  // With a look at every op; `visit` may change the values.
  parity_status RunTapped(const std::string& program,
                          const std::function<void(std::uint32_t op, float*, std::size_t)>& visit);
  // Stages and runs whole; the logits. Fails the test where that does not succeed.
  Values Step(const std::string& program, const std::vector<Part>& parts);
  // Likewise, with the values of every op.
  std::vector<Values> Seen(const std::string& program, const std::vector<Part>& parts);
  Values Logits();

  parity_status Save(std::uint32_t slot, const std::string& path);
  // The slot's length is then what was loaded.
  parity_status Load(std::uint32_t slot, const std::string& path);
  void Reset();

  const parity_engine_api& api() const { return api_; }
  parity_rank* get() const { return rank_; }
  std::uint32_t OpOf(const std::string& label) const;
  std::string Error() const { return api_.last_error(rank_); }
  // Of the last call, which was refused: "guard: condition".
  std::string Refusal() const;
  nlohmann::json Counters();

 private:
  std::vector<parity_tap> AllTaps() const;

  const parity_engine_api& api_;
  parity_rank* rank_ = nullptr;
  nlohmann::json description_;
  std::vector<std::string> buffers_;  // by op
  std::map<std::uint32_t, std::uint64_t> lengths_;
};

// An error of `describe` or `create`, as "refused: words"; empty if there is none.
std::string LlamaErrorOf(const nlohmann::json& over);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_LLAMA_DRIVER_H_
