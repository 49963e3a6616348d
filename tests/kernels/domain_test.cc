#include "kernels/domain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/kernels/reference.h"

namespace parity {
namespace {

class DomainTest : public testing::TestWithParam<DType> {};

TEST_P(DomainTest, AgreesWithALoopInLongDouble) {
  const DType dtype = GetParam();
  std::mt19937_64 random(4);
  std::vector<std::uint64_t> elements(5000);
  for (auto& element : elements) element = RandomElement(dtype, random);
  Buffer data = Pack(dtype, elements);
  data.insert(data.begin(), 0);  // to an odd address
  for (const ValueRange range : {ValueRange{0, 1}, ValueRange{-3.5, 100}, ValueRange{-1e9, 1e18},
                                 ValueRange{-HUGE_VAL, HUGE_VAL}, ValueRange{7, 7}}) {
    OutsideRange expected;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const long double value = ValueOf(dtype, elements[i]);
      if (value >= range.min && value <= range.max) continue;
      if (expected.count++ != 0) continue;
      expected.first_index = i;
      expected.first_value = static_cast<double>(value);
    }
    const OutsideRange got = CountOutside(dtype, data.data() + 1, elements.size(), range);
    EXPECT_EQ(got.count, expected.count);
    EXPECT_EQ(got.first_index, expected.first_index);
    if (!std::isnan(expected.first_value)) {
      EXPECT_EQ(got.first_value, expected.first_value);
    } else {
      EXPECT_TRUE(std::isnan(got.first_value));
    }
  }
}

TEST_P(DomainTest, NothingIsInside) {
  EXPECT_TRUE(CountOutside(GetParam(), nullptr, 0, {0, 1}).None());
}

INSTANTIATE_TEST_SUITE_P(AllNumeric, DomainTest,
                         testing::ValuesIn(AllDTypes().begin(), AllDTypes().end() - 1),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST(OutsideRangeTest, NanIsOutsideOfEverything) {
  const float data[] = {1, std::nanf(""), HUGE_VALF};
  const OutsideRange outside = CountOutside(DType::kF32, data, 3, {-HUGE_VAL, HUGE_VAL});
  EXPECT_EQ(outside.count, 1u);
  EXPECT_EQ(outside.first_index, 1u);
  EXPECT_TRUE(std::isnan(outside.first_value));
  EXPECT_FALSE(outside.None());
}

TEST(OutsideRangeTest, WideIntegersAreNotRounded) {
  const std::int64_t limit = std::int64_t{1} << 53;
  const std::int64_t data[] = {limit, limit + 1, -limit, -limit - 1};
  EXPECT_EQ(CountOutside(DType::kI64, data, 4, {-0x1p53, 0x1p53}).count, 2u);
  const std::uint64_t top = ~std::uint64_t{0};
  EXPECT_EQ(CountOutside(DType::kU64, &top, 1, {0, 0x1p63}).count, 1u);
  EXPECT_EQ(CountOutside(DType::kU64, &top, 1, {0, 0x1p64}).count, 0u);
}

TEST(OutsideRangeTest, ARangeBetweenOrBeyondIntegersHoldsNone) {
  const std::uint8_t data[] = {0, 255};
  EXPECT_EQ(CountOutside(DType::kU8, data, 2, {0.1, 0.9}).count, 2u);
  EXPECT_EQ(CountOutside(DType::kU8, data, 2, {256, 300}).count, 2u);
  EXPECT_EQ(CountOutside(DType::kU8, data, 2, {-9, -1}).count, 2u);
  EXPECT_EQ(CountOutside(DType::kU8, data, 2, {-9, 0}).count, 1u);
}

TEST(OutsideRangeTest, RejectsWhatIsNoRangeAndBytes) {
  const float data[] = {1};
  EXPECT_THROW(CountOutside(DType::kF32, data, 1, {2, 1}), std::invalid_argument);
  EXPECT_THROW(CountOutside(DType::kF32, data, 1, {std::nan(""), 1}), std::invalid_argument);
  EXPECT_THROW(CountOutside(DType::kBytes, data, 1, {0, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace parity
