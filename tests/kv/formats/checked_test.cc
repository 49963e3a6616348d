#include "suites/kv/formats/checked.h"

#include <gtest/gtest.h>

namespace parity::kv {
namespace {

TEST(Checked, SumsAtTheEdge) {
  EXPECT_EQ(CheckedSum(UINT64_MAX - 52, 52), UINT64_MAX);
  EXPECT_EQ(CheckedSum(UINT64_MAX - 52, 53), std::nullopt);
  EXPECT_EQ(CheckedSum(UINT64_MAX, UINT64_MAX), std::nullopt);
}

TEST(Checked, ProductsAtTheEdge) {
  EXPECT_EQ(CheckedProduct(UINT64_MAX / 3, 3), UINT64_MAX);  // 2^64 - 1 is a multiple of 3
  EXPECT_EQ(CheckedProduct(UINT64_MAX / 3 + 1, 3), std::nullopt);
  EXPECT_EQ(CheckedProduct(std::uint64_t{1} << 32, std::uint64_t{1} << 32), std::nullopt);
  EXPECT_EQ(CheckedProduct(UINT64_MAX, 0), 0u);
}

}  // namespace
}  // namespace parity::kv
