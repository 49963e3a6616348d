// All ranks of a side at work for rank 0, which alone decides what is done.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_WORKERS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_WORKERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/rank.h"

namespace parity::tiny {

// What a step leaves of its last row.
struct StepResult {
  std::int32_t next = -1;     // as the engine chose
  std::vector<float> logits;  // [vocabulary]
};

// Each function throws EngineError. Rank 0 calls `Step`, `Export` and `Import`, and `Finish` when
// the request is done; all other ranks call `Follow`, which does the same until then.
class Workers {
 public:
  static constexpr std::uint64_t kChunk = 64;  // most rows of a step

  // `sessions` share the pages; `row` says where a cache has a token's head.
  Workers(Rank& rank, CacheRow row, std::uint64_t sessions);

  bool leads() const { return rank_.index() == 0; }
  // Tokens behind the `past` ones of a slot, at most kChunk.
  StepResult Step(const std::string& program, std::uint32_t slot, std::uint64_t past,
                  std::span<const std::int32_t> tokens);
  // The keys and values of a slot's first tokens, of all ranks and in logical order, as a
  // KvSnapshot has them.
  std::vector<std::byte> Export(std::uint32_t slot, std::uint64_t tokens);
  void Import(std::uint32_t slot, std::uint64_t tokens, const std::vector<std::byte>& rows);
  void Finish();
  void Follow();

  std::uint64_t ops() const { return ops_; }  // run by this rank
  std::uint64_t rows() const { return rows_; }
  const EngineSpec& spec() const { return rank_.spec(); }

 private:
  enum class Kind : std::uint32_t { kPrefill, kDecode, kExport, kImport, kFinish };
  struct Order {
    Kind kind;
    std::uint32_t slot;
    std::uint64_t past, tokens;
  };

  void Broadcast(void* data, std::uint64_t bytes);
  void Send(Order order);
  void RunStep(const Order& order, const std::vector<std::int32_t>& tokens);
  StagedSequence SequenceAt(std::uint32_t slot, std::uint64_t length) const;

  Rank& rank_;
  CacheRow row_;
  std::uint64_t sessions_;
  std::uint64_t ops_ = 0, rows_ = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_WORKERS_H_
