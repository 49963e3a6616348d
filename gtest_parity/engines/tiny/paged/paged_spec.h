// What `paged` is, wherever it runs.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_PAGED_SPEC_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_PAGED_SPEC_H_

#include "gtest_parity/engines/tiny/model_tensors.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny {

inline std::uint64_t RowInPages(const std::vector<std::uint64_t>& dims,
                                const StagedSequence& sequence, std::uint64_t position,
                                std::uint64_t head) {
  const auto page = static_cast<std::uint64_t>(sequence.pages[position / dims[1]]);
  return (page * dims[1] + position % dims[1]) * dims[2] + head;
}

inline EngineSpec PagedSpec(const ModelShape& model, parity_dtype activation,
                            const TextbookOps& ops) {
  EngineSpec spec = TextbookSpec("paged", model, activation, ops);
  for (TensorSpec& cache : spec.states) {
    cache.views = {KvViewOf(cache.name, model, activation, RowInPages)};
  }
  return spec;
}

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_PAGED_SPEC_H_
