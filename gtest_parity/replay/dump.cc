#include "gtest_parity/replay/dump.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "gtest_parity/replay/safetensors.h"

namespace parity {

std::string DumpPath(const std::string& folder, const std::string& span, const std::string& run,
                     std::size_t rank) {
  std::string name = run;
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '#', '.');
  return folder + "/" + span + "/" + name + ".rank" + std::to_string(rank) + ".safetensors";
}

void WriteSafetensors(const std::string& path, const std::vector<DumpedTensor>& tensors) {
  std::vector<SafetensorsEntry> entries;
  std::uint64_t offset = 0;
  for (const DumpedTensor& tensor : tensors) {
    const std::uint64_t end = offset + tensor.bytes.size();
    entries.push_back({tensor.name, SafetensorsName(tensor.dtype), tensor.shape, offset, end});
    offset = end;
  }
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << SafetensorsHead(entries);
  for (const DumpedTensor& tensor : tensors) {
    file.write(reinterpret_cast<const char*>(tensor.bytes.data()),
               static_cast<std::streamsize>(tensor.bytes.size()));
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace parity
