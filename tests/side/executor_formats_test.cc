// A quantised matrix as its two parts: elements e2m1, packed two to a byte, and one e8m0 scale for
// a block of 32.
#include <cstring>

#include "tests/side/executor_fixture.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Bytes = std::vector<std::uint8_t>;

const TensorRef kElements = {Kind::kBuffer, "w.elements", DType::kE2M1};
const TensorRef kScales = {Kind::kBuffer, "w.scales", DType::kE8M0};

class ExecutorFormats : public ExecutorTest {
 protected:
  ExecutorFormats() {
    watched_.push_back({kElements});
    watched_.push_back({kScales});
    engine_.Set<std::uint8_t>("w.elements", Bytes(32, 0x22));  // 64 ones
    engine_.Set<std::uint8_t>("w.scales", {127, 130});         // 1 and 8
  }

  // Element `i` of the matrix.
  void Write(std::uint64_t i, std::uint8_t bits) {
    std::uint8_t& byte = engine_.At<std::uint8_t>("w.elements")[i / 2];
    byte = static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0) | bits : (byte & 0x0f) | bits << 4);
  }

  // Runs the op twice under the two poisons and compares with what `x` was held as.
  void Poisoned(Script& script, const TensorRef& tensor, std::optional<ValueRange> domain = {}) {
    for (const std::uint32_t which : {0u, 1u}) {
      script.Poison(tensor, which, domain);
      script.Run("decode", 0, 1);
      script.Hold(tensor, "repeat " + std::to_string(which));
    }
  }
  const Source kFirst = Source::Held("repeat 0"), kSecond = Source::Held("repeat 1");
};

TEST_F(ExecutorFormats, ARangeThatEndsInsideAByteIsRestoredWithoutItsNeighbours) {
  Script script;
  script.Hold(kElements, "ones");
  Run(script);
  engine_.Set<std::uint8_t>("w.elements", Bytes(32, 0x55));
  Script part;
  part.Restore(kElements, Source::Held("ones"), ElementRanges{{1, 2}, {6, 1}});
  Run(part);
  EXPECT_THAT(
      Bytes(engine_.At<std::uint8_t>("w.elements"), engine_.At<std::uint8_t>("w.elements") + 4),
      ElementsAre(0x25, 0x52, 0x55, 0x52));
}

TEST_F(ExecutorFormats, AWriterOfOddElementsIsFoundToWriteThose) {
  engine_.on_run = [this](std::uint32_t, std::uint32_t) {
    for (std::uint64_t i = 3; i < 10; ++i) Write(i, static_cast<std::uint8_t>(i));
  };
  Script script;
  Poisoned(script, kElements);
  const std::size_t written = script.Written(kElements, kFirst, kSecond, std::nullopt);
  const std::size_t missing =
      script.Unwritten(kElements, kFirst, kSecond, std::nullopt, ElementRanges{{1, 4}, {9, 2}});
  const std::size_t same = script.ElementsWithin(kElements, kFirst, kSecond, written);
  const Results results = Run(script);
  EXPECT_EQ(results[written].ranges, ElementRanges({{3, 7}}));
  EXPECT_EQ(results[written].count, 7u);
  EXPECT_EQ(results[missing].ranges, ElementRanges({{1, 2}, {10, 1}}));
  EXPECT_EQ(results[same].elements.compared, 7u);
  EXPECT_TRUE(results[same].elements.Identical());
}

TEST_F(ExecutorFormats, UnwrittenScalesAreFoundWithAndWithoutADomain) {
  engine_.on_run = [this](std::uint32_t, std::uint32_t) {
    engine_.At<std::uint8_t>("w.scales")[1] = 131;
  };
  for (const std::optional<ValueRange>& domain :
       {std::optional<ValueRange>(), std::optional(ValueRange{1, 16})}) {
    Script script;
    Poisoned(script, kScales, domain);
    const std::size_t unwritten = script.Unwritten(kScales, kFirst, kSecond, domain);
    const Results results = Run(script);
    EXPECT_EQ(results[unwritten].ranges, ElementRanges({{0, 1}}));
  }
  EXPECT_THAT(engine_.Get<std::uint8_t>("w.scales"), ElementsAre(131, 131)) << "16 is in-domain";
}

TEST_F(ExecutorFormats, DifferencesAreElementsWithTheirValues) {
  Script before;
  before.Hold(kElements, "elements");
  before.Hold(kScales, "scales");
  Run(before);
  Write(5, 0xf);                                  // -6
  engine_.At<std::uint8_t>("w.scales")[0] = 120;  // 2^-7
  Script script;
  const Source elements = Source::Held("elements"), scales = Source::Held("scales");
  script.Elements(kElements, elements, Source::Live());
  script.Elements(kElements, elements, Source::Live(), ElementRanges{{0, 5}, {6, 58}});
  script.Elements(kElements, elements, Source::Live(), ElementRanges{{1, 1}, {5, 1}});
  script.Elements(kScales, scales, Source::Live());
  const Results results = Run(script);
  EXPECT_EQ(results[0].elements.compared, 64u);
  EXPECT_EQ(results[0].elements.different, 1u);
  EXPECT_EQ(results[0].elements.worst_index, 5u);
  EXPECT_EQ(results[0].elements.max_abs, 7);
  EXPECT_EQ(results[0].worst_values, std::make_pair(std::string("1"), std::string("-6")));
  EXPECT_EQ(results[1].elements.compared, 63u);
  EXPECT_TRUE(results[1].elements.Identical());
  EXPECT_EQ(results[2].elements.worst_index, 5u);
  EXPECT_EQ(results[3].elements.max_ulp, 7u);
  EXPECT_EQ(results[3].worst_values, std::make_pair(std::string("1"), std::string("0.0078125")));
}

TEST_F(ExecutorFormats, AStrayIsToldFromTheOtherHalfOfItsByte) {
  std::uint64_t written = 5;
  engine_.on_run = [&](std::uint32_t, std::uint32_t) { Write(written, 0x7); };
  const auto strays = [&] {
    Script script;
    script.Watch();
    script.Run("decode", 0, 1);
    const std::size_t at = script.Strays({}, {{"w.elements", {{5, 4}}}});
    return Run(script)[at].strays;
  };
  EXPECT_THAT(strays(), SizeIs(0));
  written = 8;
  EXPECT_THAT(strays(), SizeIs(0));
  for (const std::uint64_t outside : {4, 9}) {
    written = outside;
    const std::vector<Stray> found = strays();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].tensor, "w.elements");
    EXPECT_EQ(found[0].first_offset, outside / 2);
    EXPECT_EQ(found[0].bytes, 1u);
  }
}

TEST_F(ExecutorFormats, ChangedBlocksRowsAndDomains) {
  Script before;
  before.Hold(kElements, "elements");
  Run(before);
  Write(63, 0x6);  // 4
  Script script;
  const Source elements = Source::Held("elements");
  script.Changed(kElements, elements, Source::Live());
  script.Rows(kElements, 32, elements, Source::Live());
  script.CheckDomain(kElements, Source::Live(), {0, 2});
  script.CheckDomain(kScales, Source::Live(), {1, 4});
  const Results results = Run(script);
  EXPECT_EQ(results[0].ranges, ElementRanges({{0, 64}}));
  ASSERT_THAT(results[1].rows, SizeIs(2));
  EXPECT_TRUE(results[1].rows[0].identical);
  EXPECT_EQ(results[1].rows[1].argmax_candidate, 31u);
  EXPECT_EQ(results[2].outside.count, 1u);
  EXPECT_EQ(results[2].outside.first_index, 63u);
  EXPECT_EQ(results[3].outside.first_value, 8);
}

}  // namespace
}  // namespace parity
