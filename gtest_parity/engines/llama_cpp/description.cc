#include "gtest_parity/engines/llama_cpp/description.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace parity::llama_cpp {
namespace {

using Json = nlohmann::ordered_json;

Json BufferJson(const std::string& dtype, const std::vector<std::uint64_t>& row_shape) {
  Json shape = Json::array({"rows"});
  for (const std::uint64_t extent : row_shape) shape.push_back(extent);
  return {{"dtype", dtype}, {"shape", shape}};
}

Json InputJson(std::uint64_t values) {
  Json json = BufferJson("i32", {});
  json["domain"] = {{"min", 0}, {"max", values - 1}};
  json["role"] = "input";
  return json;
}

Json BuffersJson(const std::vector<Cut>& cuts, const EngineLimits& limits) {
  Json json = {{"tokens", InputJson(limits.vocabulary)},
               {"positions", InputJson(limits.context)},
               {"row_slot", InputJson(limits.sequences)}};
  for (const Cut& cut : cuts) {
    if (json.contains(cut.buffer)) continue;
    json[cut.buffer] = BufferJson(cut.dtype, cut.row_shape);
    if (cut.buffer == kLogits) json[cut.buffer]["role"] = "logits";
  }
  return json;
}

Json OpsJson(const std::vector<Cut>& cuts) {
  Json json = Json::array();
  for (const Cut& cut : cuts) {
    const Json own = Json::array({cut.buffer});
    json.push_back({{"op", cut.op},
                    {"label", cut.label},
                    {"reads", cut.reads},
                    {"writes", cut.updates ? Json::array() : own},
                    {"updates", cut.updates ? own : Json::array()}});
  }
  return json;
}

}  // namespace

std::uint64_t Cut::RowBytes() const {
  const std::uint64_t element = dtype == "f32" || dtype == "i32" ? 4 : 2;
  return std::accumulate(row_shape.begin(), row_shape.end(), element, std::multiplies<>());
}

std::string DescriptionText(const std::vector<Cut>& cuts, const EngineLimits& limits) {
  const Json ops = OpsJson(cuts);
  const Json json = {
      {"parity_description", 1},
      {"engine", "llama_cpp"},
      {"traits", {"sequential", "tap_only"}},
      {"vars", {{"rows", {{"max", limits.rows}}}, {"seqs", {{"max", limits.sequences}}}}},
      {"context", limits.context},
      {"buffers", BuffersJson(cuts, limits)},
      {"programs", {{{"name", "prefill"}, {"ops", ops}}, {{"name", "decode"}, {"ops", ops}}}}};
  return json.dump(2) + "\n";
}

}  // namespace parity::llama_cpp
