#include "suites/kv/other_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "gtest_parity/engines/llama_cpp/gguf/convert.h"
#include "gtest_parity/engines/llama_cpp/gguf/list.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/report/files.h"
#include "suites/kv/store_folder.h"

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string Read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string Safetensors(const std::string& header, const std::string& data) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + header + data;
}

constexpr char kHeader[] =
    R"({"__metadata__": {"format": "pt"}, "a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]},)"
    R"( "b": {"dtype": "BF16", "shape": [2], "data_offsets": [12, 16]},)"
    R"( "n": {"dtype": "I32", "shape": [1], "data_offsets": [16, 20]}})";

TEST(OtherWeights, EverySecondSignOfFloatsIsTurned) {
  const TemporaryFolder from("weights"), to("weights");
  Write(from.Path("config.json"), "{}");
  Write(from.Path("model.safetensors"), Safetensors(kHeader, std::string(20, '\x01')));
  CopyWithOtherWeights(from.path(), to.path());
  EXPECT_EQ(Read(to.Path("config.json")), "{}");
  std::string data(20, '\x01');
  for (const int at : {3, 11, 13}) data[static_cast<std::size_t>(at)] = '\x81';
  EXPECT_EQ(Read(to.Path("model.safetensors")), Safetensors(kHeader, data));
}

std::string ErrorOf(const std::string& file, const std::string& bytes) {
  const TemporaryFolder from("weights"), to("weights");
  Write(from.Path(file), bytes);
  try {
    CopyWithOtherWeights(from.path(), to.path());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(OtherWeights, WhatHasNoneIsRefused) {
  EXPECT_THAT(ErrorOf("config.json", "{}"), HasSubstr("has no weights, expected .safetensors"));
  EXPECT_THAT(ErrorOf("m.safetensors", Safetensors("{}", "")), HasSubstr("has no weights"));
  EXPECT_THAT(ErrorOf("m.safetensors", "abc"), HasSubstr("is no safetensors file"));
  EXPECT_THAT(ErrorOf("m.safetensors", std::string(8, '\xff')),
              HasSubstr("is no safetensors file"));
  EXPECT_THAT(ErrorOf("m.safetensors", Safetensors("[", "")), HasSubstr("is no safetensors file"));
  const std::string beyond = R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
  EXPECT_THAT(ErrorOf("m.safetensors", Safetensors(beyond, "abc")),
              HasSubstr("is no safetensors file"));
}

TEST(OtherWeights, OfAGgufAreOfTheSameShapes) {
  const TemporaryFolder folder("gguf");
  const std::string file = folder.Path("m.gguf"), copy = folder.Path("copy.gguf");
  WriteFileAtomically(file, gguf::Convert(PARITY_SOURCE_DIR "/manifests/tiny/model", {}));
  CopyGgufWithOtherWeights(file, copy);
  const std::string before = ReadFileIfThere(file).value(), after = ReadFileIfThere(copy).value();
  EXPECT_EQ(gguf::ListText(gguf::ReadLayout(file, before)),
            gguf::ListText(gguf::ReadLayout(copy, after)));
  EXPECT_NE(before, after);
  WriteFileAtomically(file, "no GGUF");
  EXPECT_THROW(CopyGgufWithOtherWeights(file, copy), InvalidInput);
}

}  // namespace
}  // namespace parity::kv
