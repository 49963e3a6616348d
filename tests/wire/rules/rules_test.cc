// Every rule over transcripts that keep all of them, and over one damage that it alone finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "suites/wire/rules/apply_rules.h"
#include "suites/wire/transcript/read_transcript.h"
#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Transcript& Good() {
  static const Transcript good =
      ReadTranscript(PARITY_SOURCE_DIR "/tests/wire/fixtures/good.jsonl");
  return good;
}

RuleOptions Options() {
  RuleOptions options;
  options.metrics = {"tokens_total{kind=\"prompt\"}", "tokens_total{kind=\"output\"}",
                     "requests_active"};
  return options;
}

bool IsReported(const std::string& rule) { return FindRule(rule)->layer == Layer::kStrict; }

std::string TextsOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += TextOf(finding) + "\n";
  return text;
}

std::vector<Finding> Counted(const std::vector<Finding>& findings) {
  std::vector<Finding> counted;
  for (const Finding& finding : findings) {
    if (!IsReported(finding.rule)) counted.push_back(finding);
  }
  return counted;
}

TEST(WireRules, IdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.words.empty()) << rule.id;
  }
}

TEST(WireRules, GoodTranscriptsKeepThemAll) {
  const SideView side(Good());
  EXPECT_EQ(TextsOf(Counted(ApplyRules(side, Options()).findings)), "");
  EXPECT_EQ(TextsOf(Counted(ApplyPairRules(side, side, Options()).findings)), "");
}

// A rule that had nothing to look at in the good transcripts could not have found anything there.
TEST(WireRules, EveryRuleHasSomethingToLookAt) {
  const SideView side(Good());
  const Applied one = ApplyRules(side, Options()), pair = ApplyPairRules(side, side, Options());
  for (const Rule& rule : AllRules()) {
    const std::string id(rule.id);
    if (IsReported(id)) continue;
    const auto& looked = one.looked.contains(id) ? one.looked : pair.looked;
    EXPECT_GT(looked.at(id), 0u) << id;
  }
}

TEST(WireRules, EveryRuleHasAMutation) {
  std::set<std::string> caught;
  for (const Mutation& mutation : Mutations()) caught.insert(mutation.rule);
  for (const Rule& rule : AllRules()) {
    if (rule.layer == Layer::kStrict) continue;
    EXPECT_TRUE(caught.contains(std::string(rule.id))) << rule.id;
  }
}

class Damage : public ::testing::TestWithParam<Mutation> {};

TEST_P(Damage, IsFoundByItsRuleAlone) {
  Transcript damaged = Good();
  damaged.side = "candidate";
  for (Exchange& exchange : damaged.exchanges) {
    if (exchange.name != GetParam().exchange) continue;
    GetParam().edit(exchange);
    if (GetParam().mends_lengths) MendLengths(exchange);
  }
  const SideView good(Good()), side(damaged);
  const bool pair = std::holds_alternative<PairCheck>(FindRule(GetParam().rule)->check);
  std::vector<Finding> findings = Counted(ApplyRules(side, Options()).findings);
  if (pair) {
    EXPECT_EQ(TextsOf(findings), "");
    findings = Counted(ApplyPairRules(good, side, Options()).findings);
  }
  std::set<std::string> rules, exchanges;
  for (const Finding& finding : findings) {
    rules.insert(finding.rule);
    exchanges.insert(finding.exchange);
  }
  EXPECT_THAT(rules, ElementsAre(GetParam().rule)) << TextsOf(findings);
  for (const Finding& finding : findings) EXPECT_NE(finding.got, finding.expected);
}

INSTANTIATE_TEST_SUITE_P(Wire, Damage, ::testing::ValuesIn(Mutations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace parity::wire::testing
