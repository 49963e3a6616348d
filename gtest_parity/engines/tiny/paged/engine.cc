#include "gtest_parity/engines/tiny/model_tensors.h"
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

std::uint64_t RowInPages(const std::vector<std::uint64_t>& dims, const StagedSequence& sequence,
                         std::uint64_t position, std::uint64_t head) {
  const auto page = static_cast<std::uint64_t>(sequence.pages[position / dims[1]]);
  return (page * dims[1] + position % dims[1]) * dims[2] + head;
}

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  EngineSpec spec = TextbookSpec("paged", model, activation, paged::kTextbookOps);
  for (TensorSpec& cache : spec.states) {
    cache.views = {KvViewOf(cache.name, model, activation, RowInPages)};
  }
  return spec;
}

}  // namespace

const EngineDefinition kEngine = {"paged", Build, MutantHost::kReference};

}  // namespace parity::tiny
