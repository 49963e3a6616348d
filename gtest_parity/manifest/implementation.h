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
// {"ops": {"rms_norm": "<hash of its module or sources>", ...}, "files": ["<what it loads>", ...]}.
struct LibraryHashes {
  std::string library;
  std::map<std::string, std::string> ops;    // those that the build product lists
  std::map<std::string, std::string> files;  // by file name, those that it lists
  bool operator==(const LibraryHashes&) const = default;
};

// Paths in a build product are relative to its folder. Throws InvalidInput for a library, a build
// product or a file of it that cannot be read, and for two files of one name.
LibraryHashes HashLibrary(const std::string& library);

class Implementation {
 public:
  // An op that the build product does not list is implemented by the whole library, the files that
  // go with it, and the engine in it. Backend, configuration, environment and library folders are
  // part of every identity: they decide what the same code computes.
  explicit Implementation(const SideDeclaration& side);
  // For a library that need not be here.
  Implementation(const SideDeclaration& side, const LibraryHashes& hashes);
  // For tests: identities by op name, all others `other`.
  Implementation(std::unordered_map<std::string, std::string> ops, std::string other);

  std::string Of(const std::string& op) const;

 private:
  std::unordered_map<std::string, std::string> ops_;
  std::string other_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_IMPLEMENTATION_H_
