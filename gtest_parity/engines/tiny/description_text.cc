#include "gtest_parity/engines/tiny/description_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace parity::tiny {
namespace {

using Json = nlohmann::ordered_json;

Json DimJson(const Dim& dim) {
  switch (dim.kind) {
    case Dim::Kind::kFixed:
      return dim.value;
    case Dim::Kind::kPerRank:
      return std::to_string(dim.value) + "/ranks";
    case Dim::Kind::kRows:
      return "rows";
    case Dim::Kind::kSequences:
      return "seqs";
    case Dim::Kind::kKvTokens:
      return "kv_tokens";
  }
  return nullptr;
}

Json ShapeJson(const std::vector<Dim>& shape) {
  Json json = Json::array();
  for (const Dim& dim : shape) json.push_back(DimJson(dim));
  return json;
}

Json SliceJson(const SliceSpec& slice) {
  return {{"axis", slice.axis}, {"start", DimJson(slice.start)}, {"size", DimJson(slice.size)}};
}

Json ViewJson(const ViewSpec& view) {
  Json json = {{"dtype", NameOf(view.dtype)}, {"shape", ShapeJson(view.shape)}};
  if (view.row != nullptr) json["by"] = "engine";
  if (view.slice) json["slice"] = SliceJson(*view.slice);
  if (!view.transpose.empty()) json["transpose"] = view.transpose;
  return json;
}

bool SeesKvTokens(const EngineSpec& spec) {
  return std::any_of(spec.states.begin(), spec.states.end(),
                     [](const TensorSpec& state) { return !state.views.empty(); });
}

Json TensorJson(const TensorSpec& tensor) {
  Json json = {{"dtype", NameOf(tensor.dtype)}, {"shape", ShapeJson(tensor.shape)}};
  for (const SliceSpec& slice : tensor.slices) json["slices"][slice.name] = SliceJson(slice);
  for (const ViewSpec& view : tensor.views) json["views"][view.name] = ViewJson(view);
  if (tensor.replicated) json["replicated"] = true;
  if (tensor.domain) {
    json["domain"] = {{"min", tensor.domain->min}, {"max", tensor.domain->max}};
  }
  if (!tensor.scores.empty()) json["scores"] = tensor.scores;
  return json;
}

Json ProgramJson(const ProgramSpec& program) {
  Json json = {{"name", program.name}};
  if (program.once) json["once"] = true;
  if (program.drafts != 0) json["drafts"] = program.drafts;
  json["ops"] = Json::array();
  for (const OpSpec& op : program.ops) {
    json["ops"].push_back({{"op", op.op},
                           {"label", op.label},
                           {"reads", op.reads},
                           {"writes", op.writes},
                           {"updates", op.updates}});
  }
  return json;
}

Json TraitsJson(std::uint32_t traits) {
  Json json = Json::array();
  if ((traits & PARITY_SEQUENTIAL) != 0) json.push_back("sequential");
  if ((traits & PARITY_TAP_ONLY) != 0) json.push_back("tap_only");
  return json;
}

}  // namespace

std::string DescriptionText(const EngineSpec& spec) {
  Json json = {{"parity_description", 1}, {"engine", spec.engine}};
  if (spec.traits != 0) json["traits"] = TraitsJson(spec.traits);
  json["vars"] = {{"rows", {{"max", kMaxRows}}}, {"seqs", {{"max", kMaxSequences}}}};
  if (SeesKvTokens(spec)) json["vars"]["kv_tokens"] = {{"max", kPageCount * kPageTokens}};
  json["context"] = spec.Context();
  if (spec.paged) json["paging"] = {{"page_tokens", kPageTokens}, {"page_count", kPageCount}};
  json["buffers"] = Json::object();
  for (const TensorSpec& buffer : spec.buffers) {
    Json entry = TensorJson(buffer);
    if (buffer.role != "workspace") entry["role"] = buffer.role;
    json["buffers"][buffer.name] = std::move(entry);
  }
  json["states"] = Json::object();
  for (const TensorSpec& state : spec.states) {
    Json entry = TensorJson(state);
    if (spec.paged) entry["paged"] = true;
    json["states"][state.name] = std::move(entry);
  }
  json["programs"] = Json::array();
  for (const ProgramSpec& program : spec.programs) {
    json["programs"].push_back(ProgramJson(program));
  }
  return json.dump(2) + "\n";
}

}  // namespace parity::tiny
