#include "gtest_parity/side/tap_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TapTable, HasOneTapForEachOpAndTensorInTheOrderOfOps) {
  const TensorRef q{Kind::kBuffer, "q", DType::kF32}, k{Kind::kState, "k", DType::kF32};
  Script script;
  script.Reset();
  script.RunTapped("decode", 9);
  script.At(5);
  script.Hold(q, "a");
  script.At(2);
  script.Hold(q, "b");
  script.At(5);
  script.Hold(k, "c");
  script.Hold(q, "d");
  script.At(std::nullopt);
  script.Hold(q, "e");
  const TapTable table(script.instructions(), 1);
  ASSERT_EQ(table.taps().size(), 3u);
  EXPECT_EQ(table.taps()[0].op, 2u);
  EXPECT_STREQ(table.taps()[0].name, "q");
  EXPECT_EQ(table.taps()[0].kind, std::uint32_t{PARITY_BUFFER});
  EXPECT_EQ(table.taps()[0].struct_size, sizeof(parity_tap));
  EXPECT_THAT(table.InstructionsAt(0), ElementsAre(3));
  EXPECT_STREQ(table.taps()[1].name, "q");
  EXPECT_THAT(table.InstructionsAt(1), ElementsAre(2, 5));
  EXPECT_STREQ(table.taps()[2].name, "k");
  EXPECT_EQ(table.taps()[2].kind, std::uint32_t{PARITY_STATE});
  EXPECT_THAT(table.InstructionsAt(2), ElementsAre(4));
}

TEST(TapTable, EndsWhereAnotherRunBegins) {
  const TensorRef q{Kind::kBuffer, "q", DType::kF32};
  Script script;
  script.RunTapped("decode", 9);
  script.RunTapped("decode", 9);
  script.At(1);
  script.Hold(q, "a");
  EXPECT_THAT(TapTable(script.instructions(), 0).taps(), IsEmpty());
  EXPECT_EQ(TapTable(script.instructions(), 1).taps().size(), 1u);
}

}  // namespace
}  // namespace parity
