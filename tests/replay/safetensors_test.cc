#include "gtest_parity/replay/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "gtest_parity/replay/refused.h"

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::span<const std::uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::vector<SafetensorsEntry> Parse(std::string_view header, std::uint64_t data_bytes) {
  return ParseSafetensorsHeader(Bytes(header), data_bytes);
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const std::vector<SafetensorsEntry> entries = {
      {"b", "F32", {2, 3}, 0, 24}, {"a", "U8", {5}, 24, 29}, {"none", "I64", {0, 7}, 29, 29}};
  const std::string head = SafetensorsHead(entries);
  EXPECT_EQ(head.size() % 8, 0u);
  const std::uint64_t header = SafetensorsHeaderBytes(Bytes(head), head.size() + 29);
  EXPECT_EQ(header, head.size() - 8);
  EXPECT_EQ(Parse(std::string_view(head).substr(8), 29), entries);
}

TEST(Safetensors, EveryDtypeHasANameThatIsRead) {
  for (std::uint32_t i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const std::uint64_t bytes = BytesOf(dtype, 1);
    const std::string head = SafetensorsHead({{"t", SafetensorsName(dtype), {1}, 0, bytes}});
    EXPECT_EQ(Parse(std::string_view(head).substr(8), bytes).size(), 1u) << NameOf(dtype);
  }
}

TEST(Safetensors, MetadataIsLetBe) {
  EXPECT_TRUE(Parse(R"({"__metadata__": {"format": "pt"}})", 0).empty());
}

struct BadHeader {
  const char* name;
  const char* header;
  std::uint64_t data_bytes;
  const char* words;
};

class BadHeaderTest : public ::testing::TestWithParam<BadHeader> {};

TEST_P(BadHeaderTest, IsRefused) {
  EXPECT_THAT([&] { Parse(GetParam().header, GetParam().data_bytes); },
              ThrowsMessage<RecordingRefused>(HasSubstr(GetParam().words)));
}

INSTANTIATE_TEST_SUITE_P(
    headers, BadHeaderTest,
    ::testing::Values(
        BadHeader{"Empty", "", 0, "no JSON object"}, BadHeader{"List", "[]", 0, "no JSON object"},
        BadHeader{"Torn", R"({"a": {"dtype")", 0, "no JSON object"},
        BadHeader{"NoShape", R"({"a": {"dtype": "U8", "data_offsets": [0, 1]}})", 1, "'a'"},
        BadHeader{"OneOffset", R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [1]}})", 1,
                  "two data_offsets"},
        BadHeader{"Negative", R"({"a": {"dtype": "U8", "shape": [-1], "data_offsets": [0, 1]}})", 1,
                  "two data_offsets"},
        BadHeader{"Fraction", R"({"a": {"dtype": "U8", "shape": [1.5], "data_offsets": [0, 1]}})",
                  1, "two data_offsets"},
        BadHeader{"BeyondAnyNumber",
                  R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1e300]}})", 1,
                  "two data_offsets"},
        BadHeader{"Dtype", R"({"a": {"dtype": "U7", "shape": [1], "data_offsets": [0, 1]}})", 1,
                  "'U7'"},
        BadHeader{"Shape", R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})", 4,
                  "got [0, 4), expected 8 bytes by its shape"},
        BadHeader{"Backwards", R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [2, 1]}})", 1,
                  "data_offsets of 'a'"},
        BadHeader{"NoSize",
                  R"({"a": {"dtype": "F64", "shape": [4294967296, 4294967296],)"
                  R"( "data_offsets": [0, 0]}})",
                  0, "its shape has no size"},
        BadHeader{"Gap", R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [1, 2]}})", 2,
                  "begins: got at 1, expected at 0"},
        BadHeader{"Overlap",
                  R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},)"
                  R"( "b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}})",
                  3, "begins: got at 1, expected at 2"},
        BadHeader{"TooLittleData",
                  R"({"a": {"dtype": "U8", "shape": [9], "data_offsets": [0, 9]}})", 8,
                  "got 8 bytes of data, expected 9"},
        BadHeader{"TooMuchData", R"({"a": {"dtype": "U8", "shape": [9], "data_offsets": [0, 9]}})",
                  10, "got 10 bytes of data, expected 9"}),
    [](const auto& info) { return info.param.name; });

// What comes after it would not be read.
TEST(SafetensorsHeader, WithAZeroByteIsRefused) {
  EXPECT_THROW(ParseSafetensorsHeader(Bytes(std::string("{}\0{", 4)), 0), RecordingRefused);
  EXPECT_TRUE(ParseSafetensorsHeader(Bytes("{}  "), 0).empty());
}

TEST(SafetensorsLength, ThatReachesBeyondTheFileIsRefused) {
  const std::string most(8, '\xff');
  const std::pair<std::string, std::uint64_t> cases[] = {
      {most, 1000}, {std::string("\x09\0\0\0\0\0\0\0", 8), 16}, {"short", 5}, {most, 7}};
  for (const auto& [first, file_bytes] : cases) {
    EXPECT_THROW(SafetensorsHeaderBytes(Bytes(first), file_bytes), RecordingRefused);
  }
  EXPECT_EQ(SafetensorsHeaderBytes(Bytes(std::string("\x08\0\0\0\0\0\0\0", 8)), 16), 8u);
  // What the format allows, however large the file.
  EXPECT_THROW(SafetensorsHeaderBytes(Bytes(most), ~std::uint64_t{0}), RecordingRefused);
}

}  // namespace
}  // namespace parity
