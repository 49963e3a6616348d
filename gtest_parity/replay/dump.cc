#include "gtest_parity/replay/dump.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace parity {
namespace {

// The format's names; opaque bytes are U8.
const char* SafetensorsName(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return "F64";
    case DType::kF32:
      return "F32";
    case DType::kF16:
      return "F16";
    case DType::kBF16:
      return "BF16";
    case DType::kE4M3:
      return "F8_E4M3";
    case DType::kE5M2:
      return "F8_E5M2";
    case DType::kE8M0:
      return "F8_E8M0";
    case DType::kE2M1:
      return "F4";
    case DType::kI8:
      return "I8";
    case DType::kI16:
      return "I16";
    case DType::kI32:
      return "I32";
    case DType::kI64:
      return "I64";
    case DType::kU16:
      return "U16";
    case DType::kU32:
      return "U32";
    case DType::kU64:
      return "U64";
    case DType::kBool:
      return "BOOL";
    case DType::kU8:
    case DType::kBytes:
      return "U8";
  }
  return "U8";
}

}  // namespace

std::string DumpPath(const std::string& folder, const std::string& span, const std::string& run,
                     std::size_t rank) {
  std::string name = run;
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '#', '.');
  return folder + "/" + span + "/" + name + ".rank" + std::to_string(rank) + ".safetensors";
}

void WriteSafetensors(const std::string& path, const std::vector<DumpedTensor>& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::uint64_t offset = 0;
  for (const DumpedTensor& tensor : tensors) {
    header[tensor.name] = {{"dtype", SafetensorsName(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 8; ++i) file.put(static_cast<char>(text.size() >> (8 * i)));
  file << text;
  for (const DumpedTensor& tensor : tensors) {
    file.write(reinterpret_cast<const char*>(tensor.bytes.data()),
               static_cast<std::streamsize>(tensor.bytes.size()));
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace parity
