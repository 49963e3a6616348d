#include "gtest_parity/manifest/implementation.h"

#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "gtest_parity/manifest/json_object.h"

namespace parity {
namespace {

std::string SettingOf(const SideDeclaration& side) {
  const nlohmann::json setting = {side.backend, side.config, side.env, side.library_path};
  return setting.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string HashFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("sha256 is not available from OpenSSL");
  }
  std::vector<char> block(std::size_t{1} << 20);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
         stream.gcount() > 0) {
    EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof()) throw InvalidInput({{path, {}, "cannot be read", "", "a file"}});
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), digest, &size);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

Implementation::Implementation(const SideDeclaration& side)
    : library_hash_(HashFile(side.library)) {
  const std::string setting = SettingOf(side);
  // Engines of one library share its bytes and not their code.
  other_ = library_hash_ + '\n' + side.engine + '\n' + setting;
  const std::string product = side.library + ".impl.json";
  std::error_code ignored;
  if (std::filesystem::exists(product, ignored)) ReadBuildProduct(product, setting);
}

Implementation::Implementation(std::unordered_map<std::string, std::string> ops, std::string other)
    : ops_(std::move(ops)), other_(std::move(other)) {}

void Implementation::ReadBuildProduct(const std::string& path, const std::string& setting) {
  JsonSource source(path);
  const JsonObject top(source.root(), "", {{"ops", true}}, &source);
  for (const auto& [op, hash] : top.Object("ops").items()) {
    if (hash.is_string() && !hash.get_ref<const std::string&>().empty()) {
      ops_[op] = hash.get<std::string>() + '\n' + setting;
    } else {
      source.Add(Pointer("/ops", op), "wrong value", Shown(hash), "a hash, as a string");
    }
  }
  source.ThrowIfAny();
}

std::string Implementation::Of(const std::string& op) const {
  const auto found = ops_.find(op);
  return found == ops_.end() ? other_ : found->second;
}

}  // namespace parity
