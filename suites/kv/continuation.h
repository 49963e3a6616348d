// How far what an engine generates from a restored state is from what it generates without one.
#ifndef GTEST_PARITY_SUITES_KV_CONTINUATION_H_
#define GTEST_PARITY_SUITES_KV_CONTINUATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/elements.h"
#include "suites/kv/answer.h"

namespace parity::kv {

// Generated ids and the logits each was chosen from.
struct Generated {
  std::vector<std::int32_t> ids;
  std::vector<float> logits;  // [ids][vocabulary]; empty where the side shows none
};

struct Continuation {
  std::uint64_t ids = 0;  // that both generated
  std::optional<std::uint64_t>
      first_apart;  // index of the first id that differs, or that one lacks
  // Rows behind the same ids: up to the first that differs, its own row included.
  std::uint64_t rows = 0;
  ElementStats elements;  // of those rows, restored against not
  double worst_kl = 0;    // nats, of the restored from the other
  std::uint64_t worst_row = 0;

  bool Identical() const { return !first_apart && rows != 0 && elements.Identical(); }
};

// Whether two answers say the same: text, calls and, where both tell them, ids. What is left where
// a side shows no logits.
bool SayTheSame(const Answer& cold, const Answer& warm);

// Throws std::invalid_argument for logits that are not as many rows as there are ids.
Continuation CompareContinuations(const Generated& cold, const Generated& warm);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_CONTINUATION_H_
