#include "suites/kv/formats/field_type.h"

#include <gtest/gtest.h>

namespace parity::kv {
namespace {

FieldType Type(const std::string& text) { return ParseFieldType(text).value(); }

nlohmann::json Decoded(const std::string& type, std::vector<std::uint8_t> bytes, bool big = false) {
  return DecodeFieldValue(Type(type), big, bytes);
}

nlohmann::json Parsed(const std::string& type, const std::string& text) {
  return ParseFieldValue(Type(type), YAML::Load(text)).value_or(nlohmann::json());
}

TEST(FieldType, KnowsItsNames) {
  EXPECT_EQ(Type("u8"), (FieldType{FieldKind::kUnsigned, 1}));
  EXPECT_EQ(Type("i64"), (FieldType{FieldKind::kSigned, 8}));
  EXPECT_EQ(Type("f32"), (FieldType{FieldKind::kFloat, 4}));
  EXPECT_EQ(Type("bytes[16]"), (FieldType{FieldKind::kBytes, 16}));
  EXPECT_EQ(Type("text[4096]"), (FieldType{FieldKind::kText, 4096}));
  for (const char* none : {"", "u24", "u32 ", "bytes", "bytes[]", "bytes[0]", "bytes[4097]",
                           "bytes[1x]", "bytes[-1]", "bytes[99999999999999999999]", "text[4"}) {
    EXPECT_EQ(ParseFieldType(none), std::nullopt) << none;
  }
  EXPECT_EQ(FieldTypesText(),
            "u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, bytes[N] or text[N] of 1 to 4096 "
            "bytes");
}

TEST(FieldType, DecodesEachKindInBothOrders) {
  EXPECT_EQ(Decoded("u16", {1, 2}), 0x0201);
  EXPECT_EQ(Decoded("u16", {1, 2}, true), 0x0102);
  EXPECT_EQ(Decoded("i16", {0xfe, 0xff}), -2);
  EXPECT_EQ(Decoded("i8", {0x80}), -128);
  EXPECT_EQ(Decoded("i64", {0, 0, 0, 0, 0, 0, 0, 0x80}), INT64_MIN);
  EXPECT_EQ(Decoded("u64", std::vector<std::uint8_t>(8, 0xff)), UINT64_MAX);
  EXPECT_EQ(Decoded("f32", {0, 0, 0xa0, 0xbf}), -1.25);
  EXPECT_EQ(Decoded("f32", {0xbf, 0xa0, 0, 0}, true), -1.25);
  EXPECT_EQ(Decoded("f64", {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}), 1.5);
  EXPECT_EQ(Decoded("bytes[3]", {0, 0xAB, 1}), "00ab01");
  EXPECT_EQ(Decoded("text[2]", {'o', 'k'}), "ok");
}

TEST(FieldType, WhatJsonHasNoNumberForIsAWord) {
  EXPECT_EQ(Decoded("f32", {0, 0, 0xc0, 0x7f}), "nan");
  EXPECT_EQ(Decoded("f32", {0, 0, 0x80, 0x7f}), "inf");
  EXPECT_EQ(Decoded("f32", {0, 0, 0x80, 0xff}), "-inf");
}

TEST(FieldType, ParsesWhatItDecodes) {
  EXPECT_EQ(Parsed("u8", "255"), 255);
  EXPECT_EQ(Parsed("u32", "0x67677371"), 0x67677371);
  EXPECT_EQ(Parsed("i8", "-128"), -128);
  EXPECT_EQ(Parsed("i64", "-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(Parsed("f32", "0.5"), 0.5);
  EXPECT_EQ(Parsed("bytes[3]", "'4b5643'"), "4b5643");
  EXPECT_EQ(Parsed("text[3]", "KVC"), "KVC");
}

TEST(FieldType, ValuesThatTheTypeDoesNotHoldAreNone) {
  EXPECT_EQ(Parsed("u8", "256"), nullptr);
  EXPECT_EQ(Parsed("u8", "-1"), nullptr);
  EXPECT_EQ(Parsed("i8", "128"), nullptr);
  EXPECT_EQ(Parsed("i8", "-129"), nullptr);
  EXPECT_EQ(Parsed("u32", "[1]"), nullptr);
  EXPECT_EQ(Parsed("f32", "much"), nullptr);
  EXPECT_EQ(Parsed("bytes[3]", "'4B5643'"), nullptr);
  EXPECT_EQ(Parsed("bytes[3]", "'4b56'"), nullptr);
  EXPECT_EQ(Parsed("text[3]", "KV"), nullptr);
  EXPECT_EQ(ExpectedValueText(Type("u8")), "a whole number that 8 bits hold");
  EXPECT_EQ(ExpectedValueText(Type("i32")), "a whole number that 32 bits hold, of either sign");
  EXPECT_EQ(ExpectedValueText(Type("bytes[3]")), "6 lower-case hexadecimal digits in quotes");
  EXPECT_EQ(ExpectedValueText(Type("text[3]")), "text of 3 bytes");
  EXPECT_EQ(ExpectedValueText(Type("f64")), "a number");
}

}  // namespace
}  // namespace parity::kv
