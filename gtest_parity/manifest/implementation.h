// What implements an op: bytes, not names, decide whether two ops are the same.
#ifndef GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_
#define GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_

#include <map>
#include <string>
#include <unordered_map>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/sha256.h"

namespace parity {

// Of the library, and of what the build left beside it, `<library>.impl.json`:
// {"ops": {"rms_norm": "<hash of its module or sources>", ...}}.
struct LibraryHashes {
  std::string library;
  std::map<std::string, std::string> ops;  // those that the build product lists
  bool operator==(const LibraryHashes&) const = default;
};

// Throws InvalidInput for a library or a build product that cannot be read.
LibraryHashes HashLibrary(const std::string& library);

class Implementation {
 public:
  // An op that the build product does not list is implemented by the whole library and the engine
  // in it. Backend, configuration, environment and library folders are part of every identity: they
  // decide what the same code computes.
  explicit Implementation(const SideDeclaration& side);
  // For a library that need not be here.
  Implementation(const SideDeclaration& side, const LibraryHashes& hashes);
  // For tests: identities by op name, all others `other`.
  Implementation(std::unordered_map<std::string, std::string> ops, std::string other);

  const std::string& library_hash() const { return library_hash_; }
  std::string Of(const std::string& op) const;

 private:
  std::string library_hash_;
  std::unordered_map<std::string, std::string> ops_;
  std::string other_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_
