#include "gtest_parity/engines/llama_cpp/engine.h"

#include <algorithm>

#include "gtest_parity/engines/llama_cpp/graph_recorder.h"

namespace parity::llama_cpp {
namespace {

// A number that no axis of a model has: the axis of rows is told by it.
constexpr std::uint32_t kRows = 7;

}  // namespace

Engine LoadEngine(const EngineConfig& config) {
  Engine engine{std::make_unique<Session>(config), {}};
  const std::uint32_t rows = std::min({kRows, config.ubatch, config.batch, config.context});
  const auto vocabulary = static_cast<std::uint32_t>(engine.session->limits().vocabulary);
  DecodeRows decode;
  for (std::uint32_t row = 0; row < rows; ++row) {
    decode.tokens.push_back(static_cast<llama_token>(row % vocabulary));
    decode.positions.push_back(static_cast<llama_pos>(row));
    decode.sequences.push_back(0);
  }
  GraphRecorder recorder;
  engine.session->Decode(decode, &recorder);
  engine.session->Clear();
  engine.cuts =
      FindCuts(recorder.graph(), ExpandLayers(config.cuts, engine.session->layers()), rows);
  return engine;
}

}  // namespace parity::llama_cpp
