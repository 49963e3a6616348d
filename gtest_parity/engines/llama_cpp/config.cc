#include "gtest_parity/engines/llama_cpp/config.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/json_fields.h"
#include "gtest_parity/engines/llama_cpp/nearest.h"

namespace parity::llama_cpp {
namespace {

using nlohmann::json;

constexpr char kWhere[] = "config";

void ReadCount(const json& object, const char* key, std::uint32_t min, std::uint32_t* out) {
  const auto value = FindWhole(object, key, kWhere);
  if (!value) return;
  constexpr std::uint64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (*value < min || *value > kMax) {
    throw Invalid(std::string(kWhere) + "." + key + " is " + std::to_string(*value) +
                  ", expected " + std::to_string(min) + " to " + std::to_string(kMax));
  }
  *out = static_cast<std::uint32_t>(*value);
}

std::string ReadChoice(const json& object, const char* key, const std::vector<std::string>& known,
                       const std::string& unset) {
  const std::string value = FindText(object, key, kWhere).value_or(unset);
  if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  throw Invalid(std::string(kWhere) + "." + key + " is \"" + value + "\", did you mean \"" +
                Nearest(value, known, 1).front() + "\"? Known are " + Joined(known));
}

FlashAttention ReadFlashAttention(const json& object) {
  const std::string value = ReadChoice(object, "flash_attention", {"off", "on", "auto"}, "off");
  if (value == "on") return FlashAttention::kOn;
  return value == "auto" ? FlashAttention::kAuto : FlashAttention::kOff;
}

void ReadDevices(const json& object, EngineConfig* config) {
  config->devices = FindTexts(object, "devices", kWhere);
  config->rpc = FindTexts(object, "rpc", kWhere);
  ReadCount(object, "rpc_servers", 0, &config->rpc_servers);
  config->split_mode =
      ReadChoice(object, "split_mode", {"none", "layer", "row", "tensor"}, config->split_mode);
  if (object.contains("gpu_layers"))
    ReadCount(object, "gpu_layers", 0, &config->gpu_layers.emplace());
}

}  // namespace

EngineConfig ParseConfig(const char* text) {
  const json object = json::parse(text == nullptr ? "" : text, nullptr, false);
  if (object.is_discarded()) {
    throw Invalid("config is no JSON: \"" + std::string(text == nullptr ? "" : text) + "\"");
  }
  CheckObject(object, kWhere,
              {"model", "threads", "batch", "ubatch", "context", "sequences",
               "sequences_per_decode", "flash_attention", "type_k", "type_v", "kv_unified",
               "devices", "rpc", "rpc_servers", "split_mode", "gpu_layers", "cuts"});
  EngineConfig config;
  if (!object.contains("model")) {
    throw Invalid("config.model is missing, expected the path of a model in GGUF");
  }
  config.model = RequireText(object, "model", kWhere);
  ReadCount(object, "threads", 1, &config.threads);
  ReadCount(object, "batch", 1, &config.batch);
  config.ubatch = std::min(config.ubatch, config.batch);
  ReadCount(object, "ubatch", 1, &config.ubatch);
  ReadCount(object, "context", 1, &config.context);
  ReadCount(object, "sequences", 1, &config.sequences);
  ReadCount(object, "sequences_per_decode", 0, &config.sequences_per_decode);
  config.flash_attention = ReadFlashAttention(object);
  config.type_k = FindText(object, "type_k", kWhere).value_or(config.type_k);
  config.type_v = FindText(object, "type_v", kWhere).value_or(config.type_v);
  config.kv_unified = FindFlag(object, "kv_unified", kWhere);
  ReadDevices(object, &config);
  if (const auto cuts = object.find("cuts"); cuts != object.end()) config.cuts = ParseCuts(*cuts);
  return config;
}

}  // namespace parity::llama_cpp
