#include "suites/kv/counted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using nlohmann::json;
using ::testing::SizeIs;

TEST(Counted, HowFarACounterMoved) {
  EXPECT_EQ(Moved({{"hits", 2}}, {{"hits", 5}}, "hits"), 3u);
  EXPECT_EQ(Moved(json::object(), {{"hits", 5}}, "hits"), 5u) << "it had never counted";
  EXPECT_EQ(Moved({}, {{"hits", 5}}, "hits"), 5u);
  EXPECT_FALSE(Moved({{"hits", 6}}, {{"hits", 5}}, "hits")) << "it went down";
  EXPECT_FALSE(Moved({{"hits", 2}}, json::object(), "hits"));
  EXPECT_FALSE(Moved({}, {{"hits", "many"}}, "hits"));
  EXPECT_FALSE(Moved({}, {{"hits", -1}}, "hits"));
}

TEST(Counted, FillsInWhatTheAnswerDoesNotTell) {
  Answer answer;
  answer.untold = {"cached", "computed", "hits", "refusals", "restored"};
  TakeFromCounters({{"hits", 1}, {"refusals", 1}},
                   {{"hits", 2}, {"prefill_cached", 40}, {"prefill_computed", 3}, {"refusals", 3}},
                   answer);
  EXPECT_EQ(answer.cached, 40u);
  EXPECT_EQ(answer.computed, 3u);
  EXPECT_EQ(answer.hits, 1u);
  EXPECT_THAT(answer.refusals, SizeIs(2));
  EXPECT_FALSE(answer.Tells("refusal names"));
  EXPECT_FALSE(answer.Tells("restored"));
  for (const char* told : {"cached", "computed", "hits", "refusals"}) {
    EXPECT_TRUE(answer.Tells(told)) << told;
  }
}

TEST(Counted, LeavesWhatIsToldAndWhatIsNotCounted) {
  Answer answer;
  answer.untold = {"hits"};
  answer.cached = 7;
  TakeFromCounters(json::object(), {{"prefill_cached", 40}}, answer);
  EXPECT_EQ(answer.cached, 7u);
  EXPECT_FALSE(answer.Tells("hits"));
}

}  // namespace
}  // namespace parity::kv
