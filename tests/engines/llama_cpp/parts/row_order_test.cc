#include "gtest_parity/engines/llama_cpp/row_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kStream = 100;

// Two sequences that begin with the same token, one of them two tokens long, the other three.
Step TwoSequences() {
  return {"prefill", {1, 5, 1, 6, 7}, {0, 1, 0, 1, 2}, {{0, 0, 2, 0}, {1, 0, 3, 2}}};
}

std::vector<PieceRows> Order(const Step& step, const std::vector<PieceInputs>& pieces,
                             std::uint64_t stream_cells) {
  return OrderRows(step, step.sequences, pieces, stream_cells);
}

std::string ErrorOf(const std::vector<PieceInputs>& pieces, std::uint64_t stream_cells) {
  try {
    Order(TwoSequences(), pieces, stream_cells);
  } catch (const EngineError& error) {
    return error.what();
  }
  return "";
}

TEST(RowOrder, IsTheBatchsWhereThereIsOneStream) {
  const auto rows = Order(TwoSequences(), {{{1, 5, 1}, {0, 1, 0}, {}}, {{6, 7}, {1, 2}, {}}}, 0);
  EXPECT_THAT(rows, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4)));
}

TEST(RowOrder, IsTakenFromTheCellsWhereEachSequenceHasAStream) {
  // As llama.cpp splits it: as many tokens of each, then what is left of one.
  const auto rows = Order(
      TwoSequences(), {{{1, 5, 1, 6}, {0, 1, 0, 1}, {0, 1, 100, 101}}, {{7}, {2}, {102}}}, kStream);
  EXPECT_THAT(rows, ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4)));
}

TEST(RowOrder, TellsSequencesApartThatBeginAlike) {
  const auto rows = Order(
      TwoSequences(), {{{1, 1}, {0, 0}, {100, 0}}, {{5, 6, 7}, {1, 1, 2}, {1, 101, 102}}}, kStream);
  EXPECT_THAT(rows, ElementsAre(ElementsAre(2, 0), ElementsAre(1, 3, 4)));
}

TEST(RowOrder, OfOneSequenceNeedsNoCells) {
  const Step step = {"decode", {4}, {9}, {{2, 9, 1, 0}}};
  EXPECT_THAT(Order(step, {{{4}, {9}, {}}}, kStream), ElementsAre(ElementsAre(0)));
}

TEST(RowOrder, CountsFromWhereASequenceStands) {
  const Step step = {"decode", {4, 4}, {9, 3}, {{0, 9, 1, 0}, {1, 3, 1, 1}}};
  EXPECT_THAT(Order(step, {{{4, 4}, {3, 9}, {103, 9}}}, kStream), ElementsAre(ElementsAre(1, 0)));
}

TEST(RowOrder, RefusesWhatItCannotTellApart) {
  EXPECT_THAT(ErrorOf({{{1, 5, 1, 6, 7}, {}, {}}}, 0), HasSubstr("shows no positions (inp_pos)"));
  EXPECT_THAT(ErrorOf({{{1, 1}, {0, 0}, {}}}, kStream),
              HasSubstr("does not show which cells its rows are written to"));
  EXPECT_THAT(ErrorOf({{{1, 5}, {0}, {}}}, 0), HasSubstr("2 tokens and 1 positions"));
}

TEST(RowOrder, RefusesRowsThatAreNotTheSteps) {
  const char* const apart = "rows cannot be told apart";
  EXPECT_THAT(ErrorOf({{{1, 1}, {0, 0}, {}}}, 0), HasSubstr(apart));            // another order
  EXPECT_THAT(ErrorOf({{{1, 6}, {0, 1}, {}}}, 0), HasSubstr(apart));            // another token
  EXPECT_THAT(ErrorOf({{{1, 1}, {0, 0}, {0, 1}}}, kStream), HasSubstr(apart));  // twice
  EXPECT_THAT(ErrorOf({{{1}, {7}, {0}}}, kStream), HasSubstr(apart));           // beyond
  EXPECT_THAT(ErrorOf({{{1}, {0}, {250}}}, kStream), HasSubstr("of slot 2, which is not"));
  EXPECT_THAT(ErrorOf({{{1, 5, 1, 6, 7}, {0, 1, 0, 1, 2}, {}}, {{1}, {0}, {}}}, 0),
              HasSubstr("more rows than the step has"));
  EXPECT_THAT(ErrorOf({{{1, 5}, {0, 1}, {}}}, 0),
              HasSubstr("row 2 of the step was in none of the graphs"));
}

}  // namespace
}  // namespace parity::llama_cpp
