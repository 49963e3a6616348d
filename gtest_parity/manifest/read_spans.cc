#include "gtest_parity/manifest/read_spans.h"

namespace parity {
namespace {

void ReadRange(const YamlSection& section, const std::string& key, YamlFile* file,
               std::uint32_t* lo, std::uint32_t* hi) {
  const auto node = section.Find(key);
  if (!node) return;
  std::vector<std::uint64_t> ends;
  if (node->IsSequence()) {
    for (const YAML::Node& one : *node) {
      if (const auto value = ParseUnsigned(one)) ends.push_back(*value);
    }
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  if (ends.size() != 2 || node->size() != 2 || ends[0] > ends[1] || ends[1] > kMost) {
    file->Add(*node, section.PathOf(key), KindOf(*node), "[lo, hi], op indices with lo <= hi");
    return;
  }
  *lo = static_cast<std::uint32_t>(ends[0]);
  *hi = static_cast<std::uint32_t>(ends[1]);
}

ExplicitSpan ReadSpan(const YAML::Node& node, const std::string& path, YamlFile* file) {
  const YamlSection section(node, path, FindManifestSection("span"), file);
  ExplicitSpan span;
  span.at = section.at();
  section.Read("program", &span.program);
  ReadRange(section, "reference", file, &span.reference_lo, &span.reference_hi);
  ReadRange(section, "candidate", file, &span.candidate_lo, &span.candidate_hi);
  return span;
}

}  // namespace

void ReadSpans(const YAML::Node& node, YamlFile* file, Manifest* out) {
  if (node.IsSequence()) {
    out->selection = SpanSelection::kExplicit;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string path = "spans[" + std::to_string(i) + "]";
      out->explicit_spans.push_back(ReadSpan(node[i], path, file));
    }
    if (node.size() == 0) file->Add(node, "spans", "an empty list", "at least one span");
  } else if (node.IsScalar() && node.Scalar() == "ops") {
    out->selection = SpanSelection::kOps;
  } else if (!node.IsScalar() || node.Scalar() != "diff") {
    file->Add(node, "spans", KindOf(node),
              "diff, ops or a list of {program, reference: [lo, hi], candidate: [lo, hi]}");
  }
}

}  // namespace parity
