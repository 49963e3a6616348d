// Every rule over transcripts that keep all of them, and over one damage that it alone finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "suites/wire/rules/apply_rules.h"
#include "suites/wire/transcript/read_transcript.h"
#include "tests/golden_file.h"
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
  options.metrics = {"tokens_total{kind=\"prompt\"}",
                     "tokens_total{kind=\"output\"}",
                     "requests_active",
                     {"begun_total", "ended_total"}};
  options.strict = false;
  return options;
}

std::string TextsOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += TextOf(finding) + "\n";
  return text;
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
  EXPECT_EQ(TextsOf(ApplyRules(side, Options()).findings), "");
  EXPECT_EQ(TextsOf(ApplyPairRules(side, side, Options()).findings), "");
}

// No local server has all that public types demand.
TEST(WireRules, PublicTypesAreOnlyReported) {
  RuleOptions options;
  options.strict = true;
  const SideView side(Good());
  std::set<std::string> rules;
  for (const Finding& finding : ApplyRules(side, options).findings) rules.insert(finding.rule);
  EXPECT_THAT(rules, ::testing::Contains("schema.strict"));
  for (const std::string& rule : rules) {
    EXPECT_TRUE(FindRule(rule)->layer == Layer::kStrict || rule.starts_with("M-")) << rule;
  }
}

// A rule that had nothing to look at in the good transcripts could not have found anything there.
TEST(WireRules, EveryRuleHasSomethingToLookAt) {
  const SideView side(Good());
  const Applied one = ApplyRules(side, Options()), pair = ApplyPairRules(side, side, Options());
  for (const Rule& rule : AllRules()) {
    const std::string id(rule.id);
    if (rule.layer == Layer::kStrict) continue;
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

// What the network makes of the pieces says nothing.
TEST(WireRules, AnyPiecesOfTheBytesKeepThemAll) {
  std::mt19937 random(7);
  Transcript pieces = Good();
  for (Exchange& exchange : pieces.exchanges) {
    std::vector<ConnectionEvent> events;
    for (const ConnectionEvent& event : exchange.events) {
      for (std::size_t at = 0, size = 0; at < event.bytes.size(); at += size) {
        size = 1 + random() % 9;
        events.push_back({event.kind, event.at_us, event.bytes.substr(at, size)});
      }
      if (event.bytes.empty()) events.push_back(event);
    }
    exchange.events = events;
  }
  const SideView side(pieces);
  EXPECT_EQ(TextsOf(ApplyRules(side, Options()).findings), "");
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
  std::vector<Finding> findings = ApplyRules(side, Options()).findings;
  if (pair) {
    EXPECT_EQ(TextsOf(findings), "");
    findings = ApplyPairRules(good, side, Options()).findings;
  }
  std::set<std::string> rules, exchanges;
  for (const Finding& finding : findings) {
    rules.insert(finding.rule);
    exchanges.insert(finding.exchange);
  }
  EXPECT_THAT(rules, ElementsAre(GetParam().rule)) << TextsOf(findings);
  for (const Finding& finding : findings) EXPECT_NE(finding.got, finding.expected);
}

// What a user reads of each damage: its first finding.
TEST(WireRules, FindingsReadAsTheyDid) {
  std::string text;
  for (const Mutation& mutation : Mutations()) {
    Transcript damaged = Good();
    for (Exchange& exchange : damaged.exchanges) {
      if (exchange.name != mutation.exchange) continue;
      mutation.edit(exchange);
      if (mutation.mends_lengths) MendLengths(exchange);
    }
    const SideView good(Good()), side(damaged);
    std::vector<Finding> findings = ApplyRules(side, Options()).findings;
    const Applied pairs = ApplyPairRules(good, side, Options());
    findings.insert(findings.end(), pairs.findings.begin(), pairs.findings.end());
    for (const Finding& finding : findings) {
      if (finding.rule != mutation.rule) continue;
      text += mutation.name + "\n  " + TextOf(finding) + "\n";
      break;
    }
  }
  EXPECT_TRUE(parity::testing::MatchesGoldenFile(
      PARITY_SOURCE_DIR "/tests/wire/rules/golden/findings.txt", text));
}

INSTANTIATE_TEST_SUITE_P(Wire, Damage, ::testing::ValuesIn(Mutations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace parity::wire::testing
