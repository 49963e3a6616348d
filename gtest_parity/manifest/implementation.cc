#include "gtest_parity/manifest/implementation.h"

#include <filesystem>
#include <utility>

#include "gtest_parity/manifest/json_object.h"

namespace parity {
namespace {

std::string SettingOf(const SideDeclaration& side) {
  const nlohmann::json setting = {side.backend, side.config, side.env, side.library_path};
  return setting.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

LibraryHashes HashLibrary(const std::string& library) {
  LibraryHashes hashes;
  hashes.library = HashFile(library);
  const std::string product = library + ".impl.json";
  std::error_code ignored;
  if (!std::filesystem::exists(product, ignored)) return hashes;
  JsonSource source(product);
  const JsonObject top(source.root(), "", {{"ops"}, {"files"}}, &source);
  for (const auto& [op, hash] : top.Object("ops").items()) {
    if (hash.is_string() && !hash.get_ref<const std::string&>().empty()) {
      hashes.ops[op] = hash.get<std::string>();
    } else {
      source.Add(Pointer("/ops", op), "wrong value", Shown(hash), "a hash, as a string");
    }
  }
  std::vector<std::string> files;
  top.Read("files", &files);
  for (const std::string& file : files) {
    const std::filesystem::path path = std::filesystem::path(library).parent_path() / file;
    if (!hashes.files.try_emplace(path.filename(), HashFile(path)).second) {
      source.Add("/files", "wrong value", Shown(file), "one file of this name");
    }
  }
  source.ThrowIfAny();
  return hashes;
}

Implementation::Implementation(const SideDeclaration& side)
    : Implementation(side, HashLibrary(side.library)) {}

Implementation::Implementation(const SideDeclaration& side, const LibraryHashes& hashes) {
  const std::string setting = SettingOf(side);
  // Engines of one library share its bytes and not their code.
  other_ = hashes.library + '\n' + side.engine + '\n' + setting;
  for (const auto& [file, hash] : hashes.files) other_ += '\n' + file + '\n' + hash;
  for (const auto& [op, hash] : hashes.ops) ops_[op] = hash + '\n' + setting;
}

Implementation::Implementation(std::unordered_map<std::string, std::string> ops, std::string other)
    : ops_(std::move(ops)), other_(std::move(other)) {}

std::string Implementation::Of(const std::string& op) const {
  const auto found = ops_.find(op);
  return found == ops_.end() ? other_ : found->second;
}

}  // namespace parity
