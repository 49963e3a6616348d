#include "gtest_parity/server/config_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "gtest_parity/device/file_descriptor.h"
#include "gtest_parity/side/side.h"

namespace parity {

ConfigFile::ConfigFile(const nlohmann::json& config) {
  constexpr char kEnding[] = ".json";
  path_ = (std::filesystem::temp_directory_path() / "parity_config.XXXXXX").string() + kEnding;
  const FileDescriptor file(mkostemps(path_.data(), sizeof(kEnding) - 1, O_CLOEXEC));
  const std::string text = config.dump(1) + "\n";
  if (!file.valid() ||
      write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw SetupError("a server's {config_file} cannot be written: " + path_);
  }
}

ConfigFile::~ConfigFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace parity
