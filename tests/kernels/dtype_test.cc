#include "kernels/dtype.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace parity {
namespace {

struct Row {
  DType dtype;
  const char* name;
  std::uint32_t bits;
  bool is_float;
};

constexpr Row kRows[] = {
    {DType::kF64, "f64", 64, true},   {DType::kF32, "f32", 32, true},
    {DType::kF16, "f16", 16, true},   {DType::kBF16, "bf16", 16, true},
    {DType::kE4M3, "e4m3", 8, true},  {DType::kE5M2, "e5m2", 8, true},
    {DType::kE8M0, "e8m0", 8, true},  {DType::kE2M1, "e2m1", 4, true},
    {DType::kI8, "i8", 8, false},     {DType::kI16, "i16", 16, false},
    {DType::kI32, "i32", 32, false},  {DType::kI64, "i64", 64, false},
    {DType::kU8, "u8", 8, false},     {DType::kU16, "u16", 16, false},
    {DType::kU32, "u32", 32, false},  {DType::kU64, "u64", 64, false},
    {DType::kBool, "bool", 8, false}, {DType::kBytes, "bytes", 8, false},
};

TEST(DTypeTest, HasTheseProperties) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(NameOf(row.dtype), row.name);
    EXPECT_EQ(ParseDType(row.name), row.dtype);
    EXPECT_EQ(BitsOf(row.dtype), row.bits);
    for (const std::uint64_t elements : {0, 1, 2, 3, 1001}) {
      EXPECT_EQ(BytesOf(row.dtype, elements), (elements * row.bits + 7) / 8);
      EXPECT_EQ(ElementsIn(row.dtype, BytesOf(row.dtype, 2 * elements)), 2 * elements);
    }
    EXPECT_EQ(IsFloat(row.dtype), row.is_float);
  }
}

TEST(DTypeTest, TheTableAboveIsComplete) {
  std::set<DType> seen;
  for (const Row& row : kRows) seen.insert(row.dtype);
  EXPECT_EQ(seen.size(), kDTypeCount);
}

TEST(DTypeTest, ParsesNothingElse) {
  for (const char* name : {"", "F32", "f32 ", "float", "f8", "e4m3fn", "f4", "byte"}) {
    EXPECT_EQ(ParseDType(name), std::nullopt) << name;
  }
}

TEST(DTypeTest, SizesDoNotOverflow) {
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(BytesOf(DType::kE2M1, most), std::uint64_t{1} << 63);
  EXPECT_EQ(ElementsIn(DType::kF64, most), most / 8);
  EXPECT_EQ(ElementsIn(DType::kE2M1, 3), 6u);
}

TEST(DTypeTest, RejectsANumberThatIsNoEnumerator) {
  const auto none = static_cast<DType>(kDTypeCount);
  EXPECT_THROW(NameOf(none), std::invalid_argument);
  EXPECT_THROW(BitsOf(none), std::invalid_argument);
  EXPECT_THROW(BytesOf(none, 1), std::invalid_argument);
  EXPECT_THROW(ElementsIn(none, 1), std::invalid_argument);
  EXPECT_THROW(IsFloat(static_cast<DType>(255)), std::invalid_argument);
}

}  // namespace
}  // namespace parity
