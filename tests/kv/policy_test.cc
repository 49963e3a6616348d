#include "suites/kv/policy.h"

#include <gtest/gtest.h>

#include <set>

namespace parity::kv {
namespace {

using nlohmann::json;

TEST(Policy, QuestionsAreTheSameForTheSameSeed) {
  for (const std::string_view ask : kPolicyQuestions) {
    EXPECT_EQ(RandomQuestions(ask, 7, 50), RandomQuestions(ask, 7, 50)) << ask;
    EXPECT_NE(RandomQuestions(ask, 7, 50), RandomQuestions(ask, 8, 50)) << ask;
  }
}

// A store without records, one that is full of equals, a file at the budget's edge.
TEST(Policy, QuestionsReachTheEdges) {
  std::set<std::size_t> sizes;
  bool equals = false;
  for (const json& question : RandomQuestions("evict", 7, 500)) {
    const json& records = question.at("records");
    sizes.insert(records.size());
    for (std::size_t i = 1; i < records.size(); ++i) equals |= records[i] == records[i - 1];
  }
  EXPECT_EQ(*sizes.begin(), 0u);
  EXPECT_EQ(sizes.size(), 11u);
  EXPECT_TRUE(equals);
  std::set<std::int64_t> over;
  for (const json& question : RandomQuestions("fits", 7, 500)) {
    const auto bytes = question.at("bytes").get<std::int64_t>();
    over.insert(bytes + (bytes + 99) / 100 - question["knobs"]["budget_bytes"].get<std::int64_t>());
  }
  EXPECT_TRUE(over.contains(0));
  EXPECT_TRUE(over.contains(1));
  EXPECT_TRUE(over.contains(-1));
}

TEST(Policy, ScoresMayDifferInTheirLastDigits) {
  const json score = {{"ask", "score"}};
  EXPECT_TRUE(SameAnswer(score, {1.0, 250.0}, {1.0 + 1e-13, 250.0 + 1e-11}));
  EXPECT_FALSE(SameAnswer(score, {1.0}, {1.0 + 1e-11}));
  EXPECT_FALSE(SameAnswer(score, {1.0}, {1.0, 2.0}));
  EXPECT_FALSE(SameAnswer({{"ask", "store_len"}}, 1.0, 1.0 + 1e-13));
}

// Two records that are alike in all that is told of them are one to the rule.
TEST(Policy, OrderOfEvictionIsUpToEquals) {
  const json record = {{"tokens", 4}}, other = {{"tokens", 5}};
  const json question = {{"ask", "evict"}, {"records", {record, record, other}}};
  EXPECT_TRUE(SameAnswer(question, {0, 1}, {1, 0}));
  EXPECT_FALSE(SameAnswer(question, {0, 2}, {2, 0}));
  EXPECT_FALSE(SameAnswer(question, {0}, {0, 1}));
}

PolicyAnswers Answers(json value) {
  return {{"store_len", std::vector<json>(kQuestionsOfEach, std::move(value))}};
}

TEST(Policy, OneAnswerThatDiffersFails) {
  PolicyAnswers candidate = Answers(16);
  EXPECT_EQ(JudgePolicy("store_len", 7, Answers(16), candidate).outcome, Outcome::kPass);
  candidate["store_len"][123] = 17;
  const Verdict verdict = JudgePolicy("store_len", 7, Answers(16), candidate);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.summary, "1 of 10000 answers differ");
  EXPECT_EQ(verdict.findings[1].rfind("question 123: got 17, expected 16", 0), 0u)
      << verdict.findings[1];
}

TEST(Policy, NothingAskedIsNoPass) {
  EXPECT_EQ(JudgePolicy("store_len", 7, {}, Answers(16)).outcome, Outcome::kNotCompared);
  EXPECT_EQ(JudgePolicy("store_len", 7, Answers(16), {}).outcome, Outcome::kNotCompared);
}

}  // namespace
}  // namespace parity::kv
