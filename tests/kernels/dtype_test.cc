#include "kernels/dtype.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace parity {
namespace {

struct Row {
  DType dtype;
  const char* name;
  std::uint32_t bytes;
  bool is_float;
};

constexpr Row kRows[] = {
    {DType::kF64, "f64", 8, true},      {DType::kF32, "f32", 4, true},
    {DType::kF16, "f16", 2, true},      {DType::kBF16, "bf16", 2, true},
    {DType::kE4M3, "e4m3", 1, true},    {DType::kI8, "i8", 1, false},
    {DType::kI16, "i16", 2, false},     {DType::kI32, "i32", 4, false},
    {DType::kI64, "i64", 8, false},     {DType::kU8, "u8", 1, false},
    {DType::kU16, "u16", 2, false},     {DType::kU32, "u32", 4, false},
    {DType::kU64, "u64", 8, false},     {DType::kBool, "bool", 1, false},
    {DType::kBytes, "bytes", 1, false},
};

TEST(DTypeTest, HasTheseProperties) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(NameOf(row.dtype), row.name);
    EXPECT_EQ(ParseDType(row.name), row.dtype);
    EXPECT_EQ(BytesOf(row.dtype), row.bytes);
    EXPECT_EQ(IsFloat(row.dtype), row.is_float);
  }
}

TEST(DTypeTest, TheTableAboveIsComplete) {
  std::set<DType> seen;
  for (const Row& row : kRows) seen.insert(row.dtype);
  EXPECT_EQ(seen.size(), kDTypeCount);
}

TEST(DTypeTest, ParsesNothingElse) {
  for (const char* name : {"", "F32", "f32 ", "float", "f8", "e4m3fn", "byte"}) {
    EXPECT_EQ(ParseDType(name), std::nullopt) << name;
  }
}

TEST(DTypeTest, RejectsANumberThatIsNoEnumerator) {
  const auto none = static_cast<DType>(kDTypeCount);
  EXPECT_THROW(NameOf(none), std::invalid_argument);
  EXPECT_THROW(BytesOf(none), std::invalid_argument);
  EXPECT_THROW(IsFloat(static_cast<DType>(255)), std::invalid_argument);
}

}  // namespace
}  // namespace parity
