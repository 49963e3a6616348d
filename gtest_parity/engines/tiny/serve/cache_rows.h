// A slot's keys and values between the caches of all ranks and one array in logical order.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_CACHE_ROWS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_CACHE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "gtest_parity/engines/tiny/rank.h"

namespace parity::tiny {

// Of a model's keys and values, of all ranks.
std::uint64_t CacheRowsBytes(const Rank& rank, std::uint64_t tokens);

// Both are called on every rank of the side. `rows` is as KvSnapshot has it; null: another rank's
// affair. Throw EngineError where a collective fails.
void GatherRows(Rank& rank, CacheRow row, const StagedSequence& sequence, std::byte* rows);
// Puts this rank's heads where the sequence has them.
void ScatterRows(Rank& rank, CacheRow row, const StagedSequence& sequence, const std::byte* rows);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_CACHE_ROWS_H_
