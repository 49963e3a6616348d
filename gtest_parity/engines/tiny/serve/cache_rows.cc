#include "gtest_parity/engines/tiny/serve/cache_rows.h"

#include <cstring>
#include <vector>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/model_tensors.h"

namespace parity::tiny {
namespace {

// Ranks hold heads one after the other: a token's are those of rank 0, then those of rank 1.
struct Heads {
  explicit Heads(const Rank& rank)
      : ranks(rank.memory().extents().ranks),
        own(rank.spec().model.kv_heads / ranks),
        bytes(own * rank.spec().model.head_dim *
              BytesOf(rank.memory().Get(PARITY_STATE, InLayer(0, "k")).dtype)) {}
  std::uint64_t ranks, own;
  std::uint64_t bytes;  // of one rank's heads of a token
};

template <typename Body>
void ForEachCache(const Rank& rank, Body body) {
  for (std::uint64_t layer = 0; layer < rank.spec().model.layers; ++layer) {
    for (const char* which : {"k", "v"}) {
      body(rank.memory().Get(PARITY_STATE, InLayer(layer, which)));
    }
  }
}

}  // namespace

std::uint64_t CacheRowsBytes(const Rank& rank, std::uint64_t tokens) {
  const Heads heads(rank);
  return 2 * rank.spec().model.layers * tokens * heads.ranks * heads.bytes;
}

void GatherRows(Rank& rank, CacheRow row, const StagedSequence& sequence, std::byte* rows) {
  const Heads heads(rank);
  const std::vector<StagedSequence> at = {sequence};
  std::vector<std::byte> own(sequence.length * heads.bytes), all(own.size() * heads.ranks);
  ForEachCache(rank, [&](const Operand& cache) {
    KvView(cache, heads.own, row, at, ViewLie::kNone, rank.memory().backend()).Export(own.data());
    const parity_collective* group = rank.collective();
    if (group == nullptr) {
      all = own;
    } else if (const parity_status status =
                   group->all_gather(group->context, own.data(), all.data(), own.size());
               status != PARITY_OK) {
      throw EngineError(status, "a slot's state: a collective failed");
    }
    if (rows == nullptr) return;
    for (std::uint64_t token = 0; token < sequence.length; ++token) {
      for (std::uint64_t from = 0; from < heads.ranks; ++from, rows += heads.bytes) {
        std::memcpy(rows, all.data() + from * own.size() + token * heads.bytes, heads.bytes);
      }
    }
  });
}

void ScatterRows(Rank& rank, CacheRow row, const StagedSequence& sequence, const std::byte* rows) {
  const Heads heads(rank);
  const std::vector<StagedSequence> at = {sequence};
  std::vector<std::byte> own(sequence.length * heads.bytes);
  ForEachCache(rank, [&](const Operand& cache) {
    for (std::uint64_t token = 0; token < sequence.length;
         ++token, rows += heads.bytes * heads.ranks) {
      std::memcpy(own.data() + token * heads.bytes, rows + rank.index() * heads.bytes, heads.bytes);
    }
    KvView(cache, heads.own, row, at, ViewLie::kNone, rank.memory().backend()).Import(own.data());
  });
}

}  // namespace parity::tiny
