#include "suites/kv/plugin_side.h"

#include "gtest_parity/manifest/read_description.h"
#include "gtest_parity/replay/side_files.h"

namespace parity::kv {

SideOptions PluginSideOf(const Manifest& manifest, const ServerStart& start) {
  const SideDeclaration& declared = start.reference ? manifest.reference : manifest.candidate;
  SideOptions side;
  side.name = start.reference ? "reference" : "candidate";
  side.library = declared.library;
  side.engine = declared.engine;
  side.config = declared.config;
  side.config.merge_patch(start.config);
  side.env = declared.env;
  side.library_path = declared.library_path;
  side.ranks = start.ranks;
  side.in_threads = manifest.ranks.in_threads;
  const std::string& description =
      start.description.empty() ? declared.description : start.description;
  side.description = ReadDescription(description, start.ranks);
  side.description_json = ReadJson(description);
  side.deadline_seconds = manifest.deadline_seconds;
  side.memory_limit_bytes = declared.memory_limit_bytes;
  return side;
}

}  // namespace parity::kv
