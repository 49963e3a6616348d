#include "suites/kv/variants.h"

#include <filesystem>
#include <stdexcept>

#include "suites/kv/other_weights.h"

namespace parity::kv {
namespace {

using nlohmann::json;

std::string NamesOf(const std::map<std::string, KvVariant>& variants) {
  std::string names;
  for (const auto& [name, variant] : variants) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "of which there are none" : "which are " + names;
}

}  // namespace

Variants::Variants(const Manifest& manifest, const std::string& lanes_path,
                   const std::vector<Lane>& lanes)
    : manifest_(manifest) {
  std::vector<Diagnostic> missing;
  for (const Lane& lane : lanes) {
    for (const Phase* phase : {&lane.save, &lane.load}) {
      if (phase->variant.empty() || manifest.kv.variants.contains(phase->variant)) continue;
      missing.push_back({lanes_path, lane.at, "variant of lane " + lane.name,
                         "\"" + phase->variant + "\"",
                         "one of the manifest's kv.variants, " + NamesOf(manifest.kv.variants)});
    }
  }
  if (!missing.empty()) throw InvalidInput(std::move(missing));
}

std::string Variants::OtherWeightsOf(const std::string& weights) {
  const bool file = std::filesystem::is_regular_file(weights);
  const std::string name = std::filesystem::path(weights).filename().string();
  std::unique_ptr<TemporaryFolder>& copy = copies_[weights];
  if (copy == nullptr) {
    auto made = std::make_unique<TemporaryFolder>("parity_kv_model");
    if (file) {
      CopyGgufWithOtherWeights(weights, made->Path(name));
    } else {
      CopyWithOtherWeights(weights, made->path());
    }
    copy = std::move(made);
  }
  return file ? copy->Path(name) : copy->path();
}

void Variants::Apply(const std::string& name, ServerStart* start) {
  const KvVariant& variant = manifest_.kv.variants.at(name);
  const SideVariant& side = start->reference ? variant.reference : variant.candidate;
  start->description = side.description;
  json config = side.config;
  if (!side.other_weights.empty()) {
    const SideDeclaration& declared = start->reference ? manifest_.reference : manifest_.candidate;
    const json::json_pointer pointer(side.other_weights);
    if (!declared.config.contains(pointer) || !declared.config.at(pointer).is_string()) {
      throw std::runtime_error("variant " + name + ": config has no weights at " +
                               side.other_weights);
    }
    config[pointer] = OtherWeightsOf(declared.config.at(pointer).get<std::string>());
  }
  config.merge_patch(start->config);
  start->config = std::move(config);
}

}  // namespace parity::kv
