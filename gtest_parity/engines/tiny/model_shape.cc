#include "gtest_parity/engines/tiny/model_shape.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLanes = 16;  // dot products run over whole groups of this many elements

std::uint64_t Size(const json& config, const char* key, const std::string& path) {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_number_unsigned() || *found == 0u) {
    throw Failed(path + ": " + key + " is " + (found == config.end() ? "missing" : found->dump()) +
                 ", expected a whole number above 0");
  }
  return found->get<std::uint64_t>();
}

void Expect(const json& config, const char* key, const json& expected, const std::string& path) {
  const auto found = config.find(key);
  if (found != config.end() && *found == expected) return;
  throw Failed(path + ": " + key + " is " + (found == config.end() ? "missing" : found->dump()) +
               ", this engine needs " + expected.dump());
}

double Number(const json& config, const char* key, const std::string& path) {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_number() || found->get<double>() <= 0) {
    throw Failed(path + ": " + key + " is " + (found == config.end() ? "missing" : found->dump()) +
                 ", expected a number above 0");
  }
  return found->get<double>();
}

void CheckDivides(const ModelShape& shape, const std::string& path) {
  if (shape.heads % shape.kv_heads != 0) {
    throw Failed(path + ": num_attention_heads " + std::to_string(shape.heads) +
                 " is not a multiple of num_key_value_heads " + std::to_string(shape.kv_heads));
  }
  for (const auto& [name, size] :
       {std::pair{"hidden_size", shape.hidden}, std::pair{"head_dim", shape.head_dim},
        std::pair{"intermediate_size", shape.intermediate}}) {
    if (size % kLanes == 0) continue;
    throw Failed(path + ": " + name + " is " + std::to_string(size) + ", expected a multiple of " +
                 std::to_string(kLanes));
  }
}

json ReadJson(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Invalid(path + ": cannot be opened, expected the model's config.json");
  json config = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object()) throw Failed(path + ": is not a JSON object");
  return config;
}

}  // namespace

ModelShape ReadModelShape(const std::string& directory) {
  const std::string path = directory + "/config.json";
  const json config = ReadJson(path);
  Expect(config, "hidden_act", "silu", path);
  Expect(config, "tie_word_embeddings", true, path);
  Expect(config, "attention_bias", false, path);
  Expect(config, "mlp_bias", false, path);
  const json rope = config.value("rope_parameters", json::object());
  Expect(rope, "rope_type", "default", path + ": rope_parameters");

  ModelShape shape;
  shape.layers = Size(config, "num_hidden_layers", path);
  shape.hidden = Size(config, "hidden_size", path);
  shape.heads = Size(config, "num_attention_heads", path);
  shape.kv_heads = Size(config, "num_key_value_heads", path);
  shape.head_dim = Size(config, "head_dim", path);
  shape.intermediate = Size(config, "intermediate_size", path);
  shape.vocabulary = Size(config, "vocab_size", path);
  shape.context = Size(config, "max_position_embeddings", path);
  shape.norm_epsilon = static_cast<float>(Number(config, "rms_norm_eps", path));
  shape.rope_theta = static_cast<float>(Number(rope, "rope_theta", path + ": rope_parameters"));
  CheckDivides(shape, path);
  return shape;
}

}  // namespace parity::tiny
