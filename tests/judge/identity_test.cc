#include "gtest_parity/judge/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SideIdentity Side() {
  return {"paged",
          R"({"dtype":"f32"})",
          "eager",
          "77aa",
          {{"libtiny.so", "aaaa"}, {"libx.so", "bbbb"}}};
}

TEST(Identity, EqualSidesAreSelf) {
  const Verdict verdict = JudgeIdentity(Side(), Side(), false);
  EXPECT_EQ(verdict.outcome, Outcome::kSelf);
  EXPECT_THAT(verdict.summary, AllOf(HasSubstr("engine 'paged'"), HasSubstr("mode 'eager'"),
                                     HasSubstr("weights 77aa and 2 mapped objects are equal"),
                                     HasSubstr("`self: allowed` is not declared")));
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.compared, 0u);
}

TEST(Identity, EqualSidesPassWhereAllowed) {
  const Verdict verdict = JudgeIdentity(Side(), Side(), true);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.summary, HasSubstr("are equal"));
}

struct PartCase {
  const char* name;
  std::function<void(SideIdentity&)> change;
  const char* text;
};

class IdentityPart : public ::testing::TestWithParam<PartCase> {};

TEST_P(IdentityPart, MakesADifference) {
  SideIdentity candidate = Side();
  GetParam().change(candidate);
  const Verdict verdict = JudgeIdentity(Side(), candidate, false);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.summary, HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    Parts, IdentityPart,
    ::testing::Values(
        PartCase{"engine", [](auto& s) { s.engine = "fused"; }, "engine 'paged' against 'fused'"},
        PartCase{"config", [](auto& s) { s.config = "{}"; }, "config '"},
        PartCase{"mode", [](auto& s) { s.mode = "graph"; }, "mode 'eager' against 'graph'"},
        PartCase{"weights", [](auto& s) { s.weights_hash = "88"; }, "weights '77aa' against '88'"},
        PartCase{"objects", [](auto& s) { s.objects[1].second = "cccc"; },
                 "only in the reference: libx.so:bbbb, only in the candidate: libx.so:cccc"},
        PartCase{"one_object_more", [](auto& s) { s.objects.emplace_back("liby.so", "dddd"); },
                 "only in the reference: nothing, only in the candidate: liby.so:dddd"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Identity, ARenamedCopyAndAnotherOrderAreTheSame) {
  SideIdentity candidate = Side();
  candidate.objects = {{"libx.so", "bbbb"}, {"libtiny_copy.so", "aaaa"}};
  EXPECT_EQ(JudgeIdentity(Side(), candidate, false).outcome, Outcome::kSelf);
}

TEST(Identity, MissingDataIsNoDifference) {
  SideIdentity unknown = Side();
  unknown.objects.clear();
  const Verdict verdict = JudgeIdentity(Side(), unknown, true);
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_THAT(verdict.summary, HasSubstr("the candidate's identity is not known"));
  unknown = Side();
  unknown.engine.clear();
  EXPECT_THAT(JudgeIdentity(unknown, Side(), false).summary, HasSubstr("the reference's identity"));
}

}  // namespace
}  // namespace parity
