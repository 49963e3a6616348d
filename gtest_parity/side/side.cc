#include "gtest_parity/side/side.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/manifest/diff_descriptions.h"

namespace parity {

void CheckDescription(const SideOptions& side, const std::string& from_engine) {
  nlohmann::json description;
  try {
    description = nlohmann::json::parse(from_engine);
  } catch (const nlohmann::json::exception& error) {
    throw SetupError("the " + side.name +
                     "'s engine describes itself with what is no JSON: " + error.what());
  }
  const std::string difference = DiffDescriptions(side.description_json, description);
  if (!difference.empty()) {
    throw SetupError("the " + side.name + "'s checked-in description is stale:\n" + difference);
  }
}

void CheckTraits(const SideOptions& side, std::uint32_t traits) {
  const std::tuple<const char*, bool, std::uint32_t> known[] = {
      {"sequential", side.description.sequential, PARITY_SEQUENTIAL},
      {"tap_only", side.description.tap_only, PARITY_TAP_ONLY}};
  for (const auto& [trait, declared, bit] : known) {
    if (declared == ((traits & bit) != 0)) continue;
    throw SetupError("the " + side.name + "'s engine '" + side.engine + "' is " +
                     (declared ? "not " : "") + trait + ", its description says it is " +
                     (declared ? "" : "not"));
  }
}

std::vector<std::string> MappedObjectsOf(int pid) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::vector<std::string> objects;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string addresses, permissions, offset, device, inode, path;
    words >> addresses >> permissions >> offset >> device >> inode;
    std::getline(words >> std::ws, path);
    if (permissions.find('x') == std::string::npos || path.empty() || path[0] != '/') continue;
    if (path.starts_with("/usr/") || path.starts_with("/lib")) continue;
    objects.push_back(path);
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  return objects;
}

}  // namespace parity
