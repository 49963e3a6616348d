#include "gtest_parity/replay/dump.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "gtest_parity/manifest/slug.h"

namespace parity {
namespace {

struct NameRow {
  DType dtype;
  const char* name;
};

// The names of the safetensors format.
constexpr NameRow kNames[] = {
    {DType::kF64, "F64"},      {DType::kF32, "F32"},      {DType::kF16, "F16"},
    {DType::kBF16, "BF16"},    {DType::kE4M3, "F8_E4M3"}, {DType::kE5M2, "F8_E5M2"},
    {DType::kE8M0, "F8_E8M0"}, {DType::kE2M1, "F4"},      {DType::kI8, "I8"},
    {DType::kI16, "I16"},      {DType::kI32, "I32"},      {DType::kI64, "I64"},
    {DType::kU8, "U8"},        {DType::kU16, "U16"},      {DType::kU32, "U32"},
    {DType::kU64, "U64"},      {DType::kBool, "BOOL"},    {DType::kBytes, "U8"},
};

TEST(WriteSafetensors, EveryDTypeByItsNameAndSize) {
  ASSERT_EQ(std::size(kNames), kDTypeCount);
  std::vector<DumpedTensor> tensors;
  for (const NameRow& row : kNames) {
    const auto mark = static_cast<std::uint8_t>(row.dtype);
    tensors.push_back({std::string(NameOf(row.dtype)),
                       row.dtype,
                       {3, 2},
                       std::vector<std::uint8_t>(BytesOf(row.dtype, 6), mark)});
  }
  const std::string folder = testing::TempDir() + "parity_dump_test";
  WriteSafetensors(folder + "/all.safetensors", tensors);
  std::ifstream file(folder + "/all.safetensors", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove_all(folder);
  std::uint64_t header_bytes = 0;
  ASSERT_GT(bytes.size(), sizeof(header_bytes));
  std::memcpy(&header_bytes, bytes.data(), sizeof(header_bytes));
  const auto header = nlohmann::json::parse(bytes.substr(8, header_bytes));
  const std::string data = bytes.substr(8 + header_bytes);
  ASSERT_EQ(header.size(), kDTypeCount);
  std::uint64_t end = 0;
  for (const NameRow& row : kNames) {
    const auto& entry = header.at(std::string(NameOf(row.dtype)));
    EXPECT_EQ(entry.at("dtype"), row.name);
    EXPECT_EQ(entry.at("shape"), nlohmann::json({3, 2})) << "elements, packed or not";
    EXPECT_EQ(entry.at("data_offsets"), nlohmann::json({end, end + BytesOf(row.dtype, 6)}));
    EXPECT_EQ(data.at(end), static_cast<char>(row.dtype));
    end += BytesOf(row.dtype, 6);
  }
  EXPECT_EQ(data.size(), end);
}

TEST(DumpPath, StaysInTheSpansFolder) {
  for (const std::string run : {"b1/decode#0", "../../../etc/passwd", "..", ".", "/etc/passwd",
                                "b1/../../../../x#0", "b1/..#0"}) {
    const std::filesystem::path path = DumpPath("/out/dump", "decode_attention", run, 3);
    EXPECT_EQ(path.lexically_normal().parent_path(), "/out/dump/decode_attention") << run;
    EXPECT_EQ(path.extension(), ".safetensors");
  }
}

// The folder of a span is its slug, which any labels come to.
TEST(DumpPath, OfHostileLabels) {
  SlugMaker slugs;
  for (const std::string label : {"../../up", "..", "/etc/passwd", "a\nb", "***", "\x01"}) {
    const std::string slug = slugs.Make("../decode", label, label);
    EXPECT_FALSE(slug.empty()) << label;
    EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos)
        << slug;
  }
}

}  // namespace
}  // namespace parity
