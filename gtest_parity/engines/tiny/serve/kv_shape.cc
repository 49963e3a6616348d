#include "gtest_parity/engines/tiny/serve/kv_shape.h"

#include "gtest_parity/engines/tiny/serve/workers.h"

namespace parity::tiny {

KvKnobs KvKnobsOf(const EngineConfig& config) {
  return config.kv ? *config.kv : ParseKvKnobs(nlohmann::json::object(), config.activation);
}

KvShape KvShapeOf(const EngineSpec& spec, const KvKnobs& knobs, parity_dtype activation) {
  const auto narrow = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  return {.context = static_cast<std::uint32_t>(knobs.context),
          .chunk = narrow(Workers::kChunk),
          .positions = narrow(spec.model.context),
          .layers = narrow(spec.model.layers),
          .kv_heads = narrow(spec.model.kv_heads),
          .head_dim = narrow(spec.model.head_dim),
          .vocabulary = narrow(spec.model.vocabulary),
          .element_bytes = narrow(BytesOf(activation))};
}

std::string MutantOf(const EngineConfig& config) {
  return config.mutant ? config.mutant->mutant->name : "";
}

}  // namespace parity::tiny
