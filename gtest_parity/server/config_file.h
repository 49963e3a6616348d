// A side's configuration as a file, for servers that take one.
#ifndef GTEST_PARITY_SERVER_CONFIG_FILE_H_
#define GTEST_PARITY_SERVER_CONFIG_FILE_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity {

// A temporary .json file that only its owner can read; gone with the object.
class ConfigFile {
 public:
  // Throws SetupError where it cannot be written.
  explicit ConfigFile(const nlohmann::json& config);
  ~ConfigFile();
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_CONFIG_FILE_H_
