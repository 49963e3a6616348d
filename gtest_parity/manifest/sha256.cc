#include "gtest_parity/manifest/sha256.h"

#include <fstream>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {

std::string Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes.data(), bytes.size());
  return hash.Hex();
}

std::string HashFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 20);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
         stream.gcount() > 0) {
    hash.Update(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof()) throw InvalidInput({{path, {}, "cannot be read", "", "a file"}});
  return hash.Hex();
}

}  // namespace parity
