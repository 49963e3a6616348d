#include "gtest_parity/replay/side_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "gtest_parity/manifest/sha256.h"

namespace parity {
namespace {

namespace fs = std::filesystem;

void CollectFiles(const nlohmann::json& value, std::vector<std::string>& files) {
  if (value.is_structured()) {
    for (const nlohmann::json& member : value) CollectFiles(member, files);
    return;
  }
  if (!value.is_string() || !value.get_ref<const std::string&>().starts_with("/")) return;
  const fs::path path = value.get<std::string>();
  if (fs::is_regular_file(path)) files.push_back(path);
  if (!fs::is_directory(path)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
}

}  // namespace

std::string HashOfFilesIn(const nlohmann::json& config) {
  std::vector<std::string> files;
  CollectFiles(config, files);
  std::sort(files.begin(), files.end());
  std::string hashes;
  for (const std::string& file : files) hashes += HashFile(file) + "\n";
  return hashes;
}

nlohmann::json ConfigWithoutFolders(nlohmann::json config) {
  if (config.is_structured()) {
    for (nlohmann::json& member : config) member = ConfigWithoutFolders(std::move(member));
    return config;
  }
  if (!config.is_string() || !config.get_ref<const std::string&>().starts_with("/")) return config;
  const fs::path path = config.get<std::string>();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return config;
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

nlohmann::json ReadJson(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return nlohmann::json::parse(file);
}

}  // namespace parity
