// Drives a tiny engine as a harness would: ranks on threads, sequences, steps, reading memory.
#ifndef GTEST_PARITY_TESTS_ENGINES_TINY_DRIVER_H_
#define GTEST_PARITY_TESTS_ENGINES_TINY_DRIVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/engine/rank.h"

namespace parity {

using Tokens = std::vector<std::int32_t>;

struct TinyLibrary {
  const char* path;
  const char* engine;
};
inline constexpr TinyLibrary kPaged{PARITY_TINY_PAGED, "paged"};
inline constexpr TinyLibrary kPorted{PARITY_TINY_PORTED, "ported"};
inline constexpr TinyLibrary kFused{PARITY_TINY_FUSED, "fused"};
inline constexpr TinyLibrary kRebuilt{PARITY_TINY_REBUILT, "paged"};
inline constexpr TinyLibrary kContiguous{PARITY_TINY_CONTIGUOUS, "contiguous"};
inline constexpr TinyLibrary kSequential{PARITY_TINY_SEQUENTIAL, "sequential"};
inline constexpr TinyLibrary kTapped{PARITY_TINY_TAPPED, "tapped"};
inline constexpr TinyLibrary kStreamed{PARITY_TINY_STREAMED, "streamed"};
inline constexpr TinyLibrary kRouted{PARITY_TINY_ROUTED, "routed"};
inline constexpr TinyLibrary kRoutedPorted{PARITY_TINY_ROUTED_PORTED, "routed_ported"};
inline constexpr TinyLibrary kRoutedReordered{PARITY_TINY_ROUTED_REORDERED, "routed_reordered"};

const parity_engine_api& Api(const TinyLibrary& library);
std::string ModelDirectory();
// A configuration of the shipped model; `mutant` null: none.
std::string Config(const std::string& dtype = "f32", const nlohmann::json& mutant = nullptr);

// What one sequence contributes to a step.
struct Part {
  std::uint32_t slot;
  Tokens tokens;
};

// One rank and the sequences it holds. Pages are handed out in an order that `page_seed` draws.
class TinySession {
 public:
  TinySession(Rank& rank, const nlohmann::json& description, std::uint32_t index,
              std::uint64_t page_seed);

  // Stages the parts as the next tokens of their sequences; the sequences grow.
  void Stage(const std::string& program, const std::vector<Part>& parts,
             const std::string& run = "run");
  // Stages and runs whole.
  void Step(const std::string& program, const std::vector<Part>& parts,
            const std::string& run = "run");
  // Whole prompts of slots 0, 1, ... in chunks of at most `chunk` tokens; a prompt that has ended
  // drops out. Returns every row's logits by slot.
  std::vector<std::vector<float>> Prefill(const std::vector<Tokens>& prompts, std::uint64_t chunk);

  // Takes back what a sequence holds beyond `length` tokens.
  void Rewind(std::uint32_t slot, std::uint64_t length) { sequences_.at(slot).length = length; }
  const nlohmann::json& Ops(const std::string& program) const;
  void RunOps(const std::string& program, std::uint32_t lo, std::uint32_t hi);
  // Of a slice, "qkv/q": the tensor, here and below.
  std::string Bytes(const std::string& tensor);
  void SetBytes(const std::string& tensor, const std::string& bytes);
  std::vector<float> Floats(const std::string& tensor);  // f32 or bf16
  std::vector<std::int32_t> Ints(const std::string& tensor);
  parity_region Region(const std::string& tensor);
  // Buffers and states, constants left out.
  std::vector<std::string> Tensors() const;
  Rank& rank() { return rank_; }
  std::uint32_t index() const { return index_; }
  const nlohmann::json& description() const { return description_; }

 private:
  struct Sequence {
    std::uint64_t length = 0;
    std::vector<std::int32_t> pages;
  };

  Rank& rank_;
  nlohmann::json description_;
  std::uint32_t index_;
  std::vector<std::int32_t> free_pages_;
  std::map<std::uint32_t, Sequence> sequences_;
};

struct TinyRun {
  TinyLibrary library = kPaged;
  std::string config = Config();
  std::uint32_t ranks = 1;
  std::uint64_t page_seed = 1;
};

// Makes the ranks, each on its own thread, and calls `body` there. Rethrows what a rank threw.
void ForRanks(const TinyRun& run, const std::function<void(TinySession&)>& body);

struct Prompt {
  Tokens tokens, greedy;
  double loss = 0;  // mean next-token loss, nats
};
std::vector<Prompt> Prompts();

// Prompts of 7, 14 and 45 tokens, which differ in length and cross pages at different steps.
std::vector<Tokens> RaggedPrompts();
// Those prompts, prefilled together in chunks of 16, then `decode_steps` greedy tokens each.
// Instead of running a staged program, calls `run`, which must do so.
void RaggedWorkload(TinySession& session, int decode_steps,
                    const std::function<void(const std::string& program)>& run);

// The lowest index of the largest.
std::int32_t Best(const float* row, std::size_t columns);
// sum p_a (log p_a - log p_b) in nats, of softmaxes; infinite where a side has a NaN.
double Divergence(const float* a, const float* b, std::size_t columns);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINES_TINY_DRIVER_H_
