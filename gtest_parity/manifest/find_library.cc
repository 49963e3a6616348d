#include "gtest_parity/manifest/find_library.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace parity {

SearchPath SearchPath::FromEnvironment(std::vector<std::string> command_line) {
  SearchPath path{std::move(command_line)};
  const char* variable = std::getenv("PARITY_LIBRARY_PATH");
  std::istringstream parts(variable == nullptr ? "" : variable);
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) path.directories.push_back(part);
  }
  return path;
}

FoundLibrary FindLibrary(const std::string& name, const std::string& folder,
                         const SearchPath& search) {
  FoundLibrary found;
  if (name.find('/') != std::string::npos) {
    found.looked.push_back(ResolvePath(name, folder));
  } else {
    const std::string file = name.ends_with(".so") ? name : "lib" + name + ".so";
    found.looked.push_back(ResolvePath(file, folder));
    for (const std::string& directory : search.directories) {
      found.looked.push_back(ResolvePath(file, directory));
    }
  }
  for (const std::string& candidate : found.looked) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored)) {
      found.path = candidate;
      break;
    }
  }
  return found;
}

std::string ResolvePath(const std::string& path, const std::string& folder) {
  return std::filesystem::absolute(std::filesystem::path(folder) / path)
      .lexically_normal()
      .string();
}

}  // namespace parity
