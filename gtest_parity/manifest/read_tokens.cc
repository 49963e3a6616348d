#include "gtest_parity/manifest/read_tokens.h"

#include <filesystem>
#include <limits>

#include "gtest_parity/manifest/find_library.h"

namespace parity {
namespace {

void ReadEnd(const YamlSection& section, YamlFile* file, TokenOptions* out) {
  const auto node = section.Find("end");
  if (!node) return;
  if (!node->IsSequence()) {
    file->Add(*node, section.PathOf("end"), KindOf(*node), "a list of ids, which may be empty");
    return;
  }
  std::vector<std::int32_t>& end = out->end.emplace();
  for (const YAML::Node& one : *node) {
    const auto id = ParseUnsigned(one);
    if (id && *id <= std::numeric_limits<std::int32_t>::max()) {
      end.push_back(static_cast<std::int32_t>(*id));
    } else {
      file->Add(one, section.PathOf("end"), KindOf(one), "an id, a whole number from 0");
    }
  }
}

void ReadFixture(const YamlSection& section, const std::string& folder, YamlFile* file,
                 TokenOptions* out) {
  std::string name;
  section.Read("fixture", &name);
  if (name.empty()) return;
  out->fixture = ResolvePath(name, folder);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(out->fixture, ignored)) return;
  file->Add(*section.Find("fixture"), section.PathOf("fixture"), "no such file: " + out->fixture,
            "a file");
}

}  // namespace

void ReadTokens(const YAML::Node& node, const std::string& folder, YamlFile* file,
                TokenOptions* out) {
  const YamlSection section(node, "tokens", FindManifestSection("tokens"), file);
  if (!node.IsMap()) return;
  if (section.Find("least")) section.Read("least", std::uint64_t{1}, &out->least.emplace());
  ReadEnd(section, file, out);
  section.Read("choice", &out->choice);
  ReadFixture(section, folder, file, out);
}

}  // namespace parity
