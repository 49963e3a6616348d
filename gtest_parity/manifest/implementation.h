// What implements an op: bytes, not names, decide whether two ops are the same.
#ifndef GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_
#define GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_

#include <string>
#include <unordered_map>

#include "gtest_parity/manifest/manifest.h"

namespace parity {

// Hex sha256 of a file's content. Throws InvalidInput if it cannot be read.
std::string HashFile(const std::string& path);

class Implementation {
 public:
  // Hashes the library, and reads what the build left beside it, `<library>.impl.json`:
  // {"ops": {"rms_norm": "<hash of its module or sources>", ...}}. An op that is not listed is
  // implemented by the whole library and the engine in it. Backend, configuration, environment and
  // library folders are part of every identity: they decide what the same code computes.
  explicit Implementation(const SideDeclaration& side);
  // For tests: identities by op name, all others `other`.
  Implementation(std::unordered_map<std::string, std::string> ops, std::string other);

  const std::string& library_hash() const { return library_hash_; }
  std::string Of(const std::string& op) const;

 private:
  void ReadBuildProduct(const std::string& path, const std::string& setting);

  std::string library_hash_;
  std::unordered_map<std::string, std::string> ops_;
  std::string other_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_
