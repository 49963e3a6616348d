#include "gtest_parity/report/blocked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/error.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(AllowedBlocked, NamesANeedAGroupOrACase) {
  const AllowedBlocked allowed = AllowedBlocked::Parse(
      "gpu = no GPU in this runner; spans.x.r2=only one rank\n"
      "paged_vs_fused/SpanParity.Matches/y=known");
  EXPECT_EQ(allowed.ReasonFor("spans.a.r1", Blocked("gpu")), "no GPU in this runner");
  EXPECT_EQ(allowed.ReasonFor("spans.x.r2", Blocked("ranks")), "only one rank");
  EXPECT_EQ(allowed.ReasonFor("spans.a.r1", Blocked("nvlink", "Matches/y")), "known");
  EXPECT_EQ(allowed.ReasonFor("spans.a.r1", Blocked("nvlink")), std::nullopt);
  EXPECT_EQ(AllowedBlocked().ReasonFor("spans.a.r1", Blocked("gpu")), std::nullopt);
}

TEST(AllowedBlocked, NeedsAReason) {
  for (const char* text : {"gpu", "gpu=", "gpu = ;", "=because", "ok=yes;gpu"}) {
    EXPECT_THAT([&] { AllowedBlocked::Parse(text); },
                ThrowsMessage<ReportError>(HasSubstr("expected name=reason")))
        << text;
  }
  EXPECT_NO_THROW(AllowedBlocked::Parse(" ;\n; "));
}

TEST(AllowedBlocked, AReasonMayHoldEqualsSigns) {
  EXPECT_EQ(AllowedBlocked::Parse("gpu=a=b").ReasonFor("", Blocked("gpu")), "a=b");
}

TEST(Required, TurnsWhatIsBlockedForItIntoAFailure) {
  const std::set<std::string> required = ParseRequired(" gpu, nvlink ,");
  EXPECT_THAT(required, ElementsAre("gpu", "nvlink"));
  EXPECT_EQ(RequiredOutcome(Blocked("gpu"), required), Outcome::kFail);
  EXPECT_EQ(RequiredOutcome(Blocked("ranks"), required), Outcome::kBlocked);
  EXPECT_EQ(RequiredOutcome(Result(Outcome::kPass), required), Outcome::kPass);
  EXPECT_THAT(ParseRequired(""), IsEmpty());
}

}  // namespace
}  // namespace parity
