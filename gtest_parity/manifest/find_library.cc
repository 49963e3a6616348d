#include "gtest_parity/manifest/find_library.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace parity {

namespace {

std::vector<std::string> FoldersIn(const char* variable) {
  const char* value = std::getenv(variable);
  std::istringstream parts(value == nullptr ? "" : value);
  std::vector<std::string> folders;
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) folders.push_back(part);
  }
  return folders;
}

bool IsProgram(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

SearchPath SearchPath::FromEnvironment(std::vector<std::string> command_line) {
  SearchPath path{std::move(command_line)};
  for (std::string& folder : FoldersIn("PARITY_LIBRARY_PATH")) {
    path.directories.push_back(std::move(folder));
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

FoundLibrary FindProgram(const std::string& name, const std::string& folder,
                         const SearchPath& search) {
  FoundLibrary found;
  found.looked.push_back(ResolvePath(name, folder));
  std::vector<std::string> files = found.looked;
  if (name.find('/') == std::string::npos) {
    for (const std::string& one : search.directories) files.push_back(ResolvePath(name, one));
    found.looked = files;
    for (const std::string& one : FoldersIn("PATH")) files.push_back(ResolvePath(name, one));
    found.looked.push_back("one in PATH");
  }
  const auto program = std::find_if(files.begin(), files.end(), IsProgram);
  if (program != files.end()) found.path = *program;
  return found;
}

std::string ResolvePath(const std::string& path, const std::string& folder) {
  return std::filesystem::absolute(std::filesystem::path(folder) / path)
      .lexically_normal()
      .string();
}

}  // namespace parity
