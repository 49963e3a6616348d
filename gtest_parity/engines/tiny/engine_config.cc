#include "gtest_parity/engines/tiny/engine_config.h"

#include <nlohmann/json.hpp>

#include "gtest_parity/engines/tiny/json_fields.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const Mutant* FindMutant(const std::string& name, MutantHost host) {
  std::vector<std::string> known;
  for (const Mutant& mutant : AllMutants()) {
    if (mutant.host != host) continue;
    if (mutant.name == name) return &mutant;
    known.push_back(mutant.name);
  }
  throw Invalid("config.mutant.name: unknown mutant \"" + name + "\", this engine knows " +
                Join(known));
}

MutantOptions ParseMutant(const json& object, MutantHost host) {
  const std::string where = "config.mutant";
  if (!object.is_object()) {
    throw Invalid(where + " is " + object.dump() + ", expected an object");
  }
  CheckKeys(object, where,
            {"name", "label", "layer", "rank", "program", "run", "factor", "mantissa_bits",
             "at_least", "at_most", "served", "seed", "token"});
  const auto name = FindText(object, "name", where);
  if (!name) throw Invalid(where + ".name is missing");
  MutantOptions options;
  options.mutant = FindMutant(*name, host);
  options.label = FindText(object, "label", where);
  options.layer = FindWhole(object, "layer", where);
  if (const auto rank = FindWhole(object, "rank", where)) {
    options.rank = static_cast<std::uint32_t>(*rank);
  } else if (*name == "wrong_rank1") {
    options.rank = 1;
  }
  options.program = FindText(object, "program", where);
  options.run = FindText(object, "run", where);
  options.served = FindFlag(object, "served", where).value_or(false);
  const auto number = [&](const char* key, double& value) {
    value = Find<double>(object, key, &json::is_number, "a number", where).value_or(value);
  };
  number("factor", options.factor);
  number("at_least", options.at_least);
  number("at_most", options.at_most);
  if (const auto bits = FindWhole(object, "mantissa_bits", where)) {
    if (*bits > 22) {
      throw Invalid(where + ".mantissa_bits is " + std::to_string(*bits) + ", expected 0 to 22");
    }
    options.mantissa_bits = static_cast<std::uint32_t>(*bits);
  }
  options.seed = FindWhole(object, "seed", where).value_or(options.seed);
  if (const auto token = FindWhole(object, "token", where)) {
    options.token = static_cast<std::int32_t>(*token);
  }
  return options;
}

parity_dtype ParseDtype(const std::string& name) {
  if (name == "f32") return PARITY_F32;
  if (name == "bf16") return PARITY_BF16;
  throw Invalid("config.dtype: unknown dtype \"" + name + "\", known are f32, bf16");
}

}  // namespace

EngineConfig ParseEngineConfig(const char* text, MutantHost host) {
  const json object = json::parse(text == nullptr ? "" : text, nullptr, false);
  if (!object.is_object()) {
    throw Invalid("config is not a JSON object: \"" + std::string(text == nullptr ? "" : text) +
                  "\"");
  }
  CheckKeys(object, "config", {"model", "dtype", "mutant", "views", "graph", "fault", "kv"});
  EngineConfig config;
  const auto model = FindText(object, "model", "config");
  if (!model) throw Invalid("config.model is missing, expected the model's directory");
  config.model = *model;
  config.activation = ParseDtype(FindText(object, "dtype", "config").value_or("f32"));
  config.views = FindFlag(object, "views", "config").value_or(true);
  config.graph = FindFlag(object, "graph", "config").value_or(false);
  config.fault = FindText(object, "fault", "config").value_or("");
  if (const auto found = object.find("kv"); found != object.end()) {
    config.kv = ParseKvKnobs(*found, config.activation);
  }
  if (const auto found = object.find("mutant"); found != object.end()) {
    config.mutant = ParseMutant(*found, host);
  }
  return config;
}

}  // namespace parity::tiny
