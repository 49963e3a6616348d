// From the name of a plugin, or of a program, in a manifest to its file.
#ifndef GTEST_PARITY_MANIFEST_FIND_LIBRARY_H_
#define GTEST_PARITY_MANIFEST_FIND_LIBRARY_H_

#include <string>
#include <vector>

namespace parity {

// Folders that plugins are looked for in, after the manifest's own: what the command line gave
// (--library_path), then the colon-separated PARITY_LIBRARY_PATH.
struct SearchPath {
  std::vector<std::string> directories;
  static SearchPath FromEnvironment(std::vector<std::string> command_line = {});
};

struct FoundLibrary {
  std::string path;                 // absolute; empty: not found
  std::vector<std::string> looked;  // every file that was tried
};

// A name with '/' is a path, relative to `folder`; "parity_tiny" is libparity_tiny.so in `folder`
// and then in each directory of `search`; a name that ends in ".so" is not decorated.
FoundLibrary FindLibrary(const std::string& name, const std::string& folder,
                         const SearchPath& search);

// A program: a name with '/' is a path, relative to `folder`; another is looked for in `folder`, in
// each directory of `search`, and then in PATH.
FoundLibrary FindProgram(const std::string& name, const std::string& folder,
                         const SearchPath& search);

// `path` made absolute and normal; a relative one is taken from `folder`.
std::string ResolvePath(const std::string& path, const std::string& folder);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_FIND_LIBRARY_H_
