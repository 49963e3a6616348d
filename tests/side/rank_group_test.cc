#include "gtest_parity/side/rank_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/side/counter_side.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Group {
 public:
  Group(const Mood& mood, std::uint32_t ranks)
      : progress_(ranks),
        collective_(ranks),
        group_(PARITY_FIXTURE_COUNTER, "counter", mood.Config().dump()),
        side_(CounterSide(mood, ranks)) {}

  std::vector<RankError> Create() {
    RankSetup setup = {.pages = {},
                       .watched = WatchedTensors(side_.description),
                       .rendezvous = group_.MakeRendezvous(),
                       .meeting = collective_.meeting(),
                       .progress = progress_.data()};
    for (std::size_t i = 0; i < progress_.size(); ++i) {
      setup.pages.emplace_back(std::vector<int>{}, false);
    }
    return OnlyToBlame(group_.Create(std::move(setup)), collective_.meeting());
  }
  std::vector<RankError> Run(const std::vector<Script>& scripts) {
    std::vector<std::vector<Instruction>> instructions;
    for (const Script& script : scripts) instructions.push_back(script.instructions());
    collective_.Renew();
    return OnlyToBlame(group_.Run(instructions, results_), collective_.meeting());
  }
  const std::vector<Results>& results() const { return results_; }
  std::vector<RankProgress>& progress() { return progress_; }
  RankGroup& group() { return group_; }

 private:
  std::vector<RankProgress> progress_;
  ThreadCollective collective_;
  RankGroup group_;
  SideOptions side_;
  std::vector<Results> results_;
};

class RankGroups : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Ranks, RankGroups, testing::Range(1u, 5u));

TEST_P(RankGroups, EveryRankRunsItsScript) {
  const std::uint32_t ranks = GetParam();
  Group group({}, ranks);
  ASSERT_THAT(group.Create(), IsEmpty());
  for (int repeat = 0; repeat < 20; ++repeat) {
    ASSERT_THAT(group.Run(CounterScripts(ranks)), IsEmpty());
    ASSERT_THAT(group.results(), SizeIs(ranks));
    for (const Results& rank : group.results()) {
      // Twice 1, 2, 3 from each rank.
      const std::vector<float> total = FloatsOf(rank[3]);
      const auto n = static_cast<float>(ranks);
      EXPECT_THAT(std::vector<float>(total.begin(), total.begin() + 4),
                  ElementsAre(2 * n, 4 * n, 6 * n, 0));
    }
  }
  for (const RankProgress& progress : group.progress()) {
    EXPECT_EQ(progress.instruction, 0u);
    EXPECT_EQ(progress.waiting, 0u);
  }
}

struct Blamed {
  const char* name;
  Mood mood;
  parity_status status;
  const char* words;
};

class RankGroupBlames : public testing::TestWithParam<Blamed> {};

// The others wait in a collective for the one that failed.
TEST_P(RankGroupBlames, OnlyTheRankThatFailed) {
  Group group(GetParam().mood, 3);
  ASSERT_THAT(group.Create(), IsEmpty());
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::vector<RankError> errors = group.Run(CounterScripts(3));
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_EQ(errors[0].rank, static_cast<std::uint32_t>(GetParam().mood.rank));
    EXPECT_EQ(errors[0].status, GetParam().status);
    EXPECT_EQ(errors[0].words, GetParam().words);
    EXPECT_EQ(errors[0].instruction, 3u);
    EXPECT_EQ(errors[0].op, GetParam().mood.at == "add" ? 2u : 1u);
    for (const RankProgress& progress : group.progress()) {
      EXPECT_EQ(progress.instruction, 0u);
      EXPECT_EQ(progress.op, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Moods, RankGroupBlames,
    testing::Values(
        Blamed{"fails", {"fail", "add", 1}, PARITY_FAILED, "run: the counter lost count"},
        Blamed{
            "fails_first_op", {"fail", "double", 0}, PARITY_FAILED, "run: the counter lost count"},
        Blamed{"loses_device",
               {"lose_device", "add", 2},
               PARITY_DEVICE_LOST,
               "run: the counter lost count"},
        Blamed{"refuses",
               {"refuse", "add", 2},
               PARITY_REFUSED,
               "run: guard counter.even: count % 2 == 0 does not hold with "
               "{\"count\": 3}"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(RankGroup, AllAreBlamedWhereAllWereCancelled) {
  Group group({"cancelled", "add", 1}, 2);
  ASSERT_THAT(group.Create(), IsEmpty());
  EXPECT_THAT(group.Run(CounterScripts(2)), SizeIs(2));
}

TEST(RankGroup, ScriptsThatDiffer) {
  Group group({}, 2);
  ASSERT_THAT(group.Create(), IsEmpty());
  std::vector<Script> scripts(2);
  scripts[1].Digest(kDoubled, Source::Held("nobody's"));
  const std::vector<RankError> errors = group.Run(scripts);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].rank, 1u);
  EXPECT_EQ(errors[0].instruction, 1u);
  EXPECT_EQ(errors[0].op, 0u);
}

TEST(RankGroup, CreateThatFailsIsReported) {
  Group group({"fail", "create", 1}, 3);
  const std::vector<RankError> errors = group.Create();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].rank, 1u);
  EXPECT_EQ(errors[0].status, PARITY_FAILED);
  EXPECT_EQ(errors[0].words, "create: there is no weight for this");
  EXPECT_EQ(errors[0].instruction, 0u);
}

TEST(RankGroup, WrongNumberOfScripts) {
  Group group({}, 2);
  ASSERT_THAT(group.Create(), IsEmpty());
  EXPECT_THROW(group.Run(CounterScripts(1)), std::invalid_argument);
}

TEST(RankGroup, ThreadsKnowTheirRank) { EXPECT_EQ(CurrentRank(), -1); }

TEST(RankGroup, NoSuchEngine) {
  EXPECT_THROW(RankGroup(PARITY_FIXTURE_COUNTER, "abacus", "{}"), EngineError);
  EXPECT_THROW(RankGroup("/nowhere.so", "counter", "{}"), EngineError);
}

}  // namespace
}  // namespace parity
