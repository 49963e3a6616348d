#include "gtest_parity/session/side_identity.h"

#include <filesystem>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/side_files.h"

namespace parity {
namespace {

std::string WithoutFolder(const std::string& word) {
  return ConfigWithoutFolders(word).get<std::string>();
}

}  // namespace

SideIdentity IdentityOf(const Manifest& manifest, const SideDeclaration& side,
                        const std::vector<std::string>& objects) {
  SideIdentity identity;
  identity.engine = side.engine;
  identity.config = ConfigWithoutFolders(side.config).dump();
  // What it is called makes no other server of it.
  if (side.server) {
    identity.engine = WithoutFolder(side.server->command.front());
    for (const std::string& word : side.server->command) {
      identity.mode += WithoutFolder(word) + " ";
    }
    for (const auto& [name, value] : side.server->environment) {
      if (value) identity.mode += name + "=" + WithoutFolder(*value) + " ";
    }
  }
  if (side.backend != "host") identity.mode = side.backend + ", ";
  identity.mode += std::to_string(manifest.ranks.count) + " ranks in " +
                   (manifest.ranks.in_threads ? "threads" : "processes");
  for (const auto& [name, value] : side.env) identity.mode += ", " + name + "=" + value;
  identity.weights_hash = HashOfFilesIn(side.config);
  for (const std::string& object : objects) {
    identity.objects.emplace_back(std::filesystem::path(object).filename().string(),
                                  HashFile(object));
  }
  return identity;
}

}  // namespace parity
