#include "gtest_parity/session/candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace parity {
namespace {

using ::testing::HasSubstr;

class FakeSide : public Side {
 public:
  explicit FakeSide(const bool& alive) : alive_(alive) {}
  std::vector<Results> Run(const std::vector<Script>&) override { return {}; }
  bool alive() const override { return alive_; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override { return "fake"; }
  std::vector<std::string> MappedObjects() const override { return {}; }
  std::string OutputTail() const override { return "last words"; }

 private:
  const bool& alive_;
};

class CandidateTest : public ::testing::Test {
 protected:
  static Death Crash(const std::string& op, const std::string& run) {
    Death death;
    death.what = "signal SIGSEGV";
    death.op = op;
    death.run = run;
    return death;
  }

  int started_ = 0;
  bool alive_ = false;
  Candidate candidate_{[this]() -> std::unique_ptr<Side> {
    ++started_;
    return std::make_unique<FakeSide>(alive_);
  }};
};

TEST_F(CandidateTest, IsStartedOnceAndAfreshAfterADeath) {
  candidate_.Get();
  candidate_.Get();
  EXPECT_EQ(started_, 1);
  candidate_.OnFailure(Crash("layer0.q", "b1/decode#0"));
  EXPECT_EQ(candidate_.OutputTail(), "last words");
  candidate_.Get();
  EXPECT_EQ(started_, 2);
}

TEST_F(CandidateTest, IsGivenUpAfterThreeEqualDeaths) {
  for (int i = 0; i < 2; ++i) {
    candidate_.Get();
    candidate_.OnFailure(Crash("layer0.q", "b1/decode#" + std::to_string(i)));
  }
  EXPECT_FALSE(candidate_.given_up());
  candidate_.OnFailure(Crash("layer0.q", "b3/decode#0"));
  ASSERT_TRUE(candidate_.given_up());
  EXPECT_THAT(*candidate_.given_up(),
              HasSubstr("candidate died 3 times (last: signal SIGSEGV in layer0.q)"));
}

TEST_F(CandidateTest, DeathsInOtherOpsOrProgramsAreNotEqual) {
  candidate_.OnFailure(Crash("layer0.q", "b1/prefill#0"));
  candidate_.OnFailure(Crash("layer0.q", "b1/prefill#0"));
  candidate_.OnFailure(Crash("layer0.q", "b1/decode#0"));
  candidate_.OnFailure(Crash("layer0.k", "b1/decode#0"));
  EXPECT_FALSE(candidate_.given_up());
}

TEST_F(CandidateTest, IsGivenUpAfterTenDeathsInAll) {
  for (int i = 0; i < 9; ++i) candidate_.OnFailure(Crash("op" + std::to_string(i), "b1/decode#0"));
  EXPECT_FALSE(candidate_.given_up());
  candidate_.OnFailure(Crash("op9", "b1/decode#0"));
  EXPECT_TRUE(candidate_.given_up());
}

TEST_F(CandidateTest, AnEngineThatFailsInWordsLivesOn) {
  alive_ = true;
  candidate_.Get();
  Death failed = Crash("layer0.q", "b1/decode#0");
  failed.cause = Death::Cause::kFailed;
  for (int i = 0; i < 20; ++i) candidate_.OnFailure(failed);
  candidate_.Get();
  EXPECT_EQ(started_, 1);
  EXPECT_FALSE(candidate_.given_up());
}

}  // namespace
}  // namespace parity
