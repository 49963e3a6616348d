#include "gtest_parity/judge/number_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace parity {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(NumberText, ReadsBackAsTheSameNumber) {
  for (const double value : {0.0, 0.1 + 0.2, 1e-300, 5e-324, 1.7976931348623157e308, -2.5}) {
    EXPECT_EQ(std::strtod(NumberText(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(NumberText(0.01), "0.01");
}

TEST(NumberText, InfinityAndNanAreWords) {
  EXPECT_EQ(NumberText(kInf), "inf");
  EXPECT_EQ(NumberText(-kInf), "-inf");
  EXPECT_EQ(NumberText(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(NumberText(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(NumberText, ShortAndFixed) {
  EXPECT_EQ(ShortText(0.0123456), "0.01235");
  EXPECT_EQ(FixedText(1.0625, 3), "1.062");
  EXPECT_EQ(FixedText(std::numeric_limits<double>::max(), 3).size(), 313u);
}

}  // namespace
}  // namespace parity
