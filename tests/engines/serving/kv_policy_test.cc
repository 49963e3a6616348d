// The pure rules: published points, and the two implementations against one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;

json Answer(const TinyLibrary& library, const json& questions) {
  return Answers({library}, {{{"do", "policy"}, {"questions", questions}}})[0]["answers"];
}

// The defaults of the format's own server.
const json kDefaults = {{"min_tokens", 512},
                        {"continued_interval_tokens", 10000},
                        {"boundary_trim_tokens", 32},
                        {"boundary_align_tokens", 2048}};

json AskAll(const char* ask, const char* key, const std::vector<int>& values,
            const json& more = json::object()) {
  json questions = json::array();
  for (const int value : values) {
    json question = {{"ask", ask}, {"knobs", kDefaults}, {key, value}};
    question.update(more);
    questions.push_back(question);
  }
  return questions;
}

class KvPolicies : public testing::TestWithParam<TinyLibrary> {};

INSTANTIATE_TEST_SUITE_P(All, KvPolicies, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvPolicies, PublishedPoints) {
  EXPECT_EQ(Answer(GetParam(), AskAll("store_len", "tokens", {100, 512, 2048, 4136, 20000, 6782})),
            json({100, 512, 2048, 4096, 18432, 6144}));
  EXPECT_EQ(Answer(GetParam(), AskAll("continued_target", "live", {10000, 10240, 20480, 511})),
            json({0, 10240, 20480, 0}));
  EXPECT_EQ(Answer(GetParam(), AskAll("continued_target", "live", {10240}, {{"stored", 10240}})),
            json({0}));
  EXPECT_EQ(Answer(GetParam(), AskAll("bank_due", "committed", {10239, 10240, 10298})),
            json({false, true, true}));
}

TEST_P(KvPolicies, TheAnchorIsTheLastUserBeforeTheFirstAnswer) {
  const auto anchor = [&](const std::vector<json>& markers) {
    return Answer(GetParam(), {{{"ask", "anchor"}, {"knobs", kDefaults}, {"markers", markers}}})[0];
  };
  const auto at = [](int token, const char* role) { return json({{"at", token}, {"role", role}}); };
  EXPECT_EQ(anchor({at(600, "user"), at(700, "user"), at(800, "assistant"), at(900, "user")}), 700);
  EXPECT_EQ(anchor({at(100, "user"), at(800, "assistant")}), -1);
  EXPECT_EQ(anchor({at(800, "assistant"), at(900, "user")}), -1);
  EXPECT_EQ(anchor({at(900, "user")}), 900);
}

// An interval that has no aligned multiple in 31 bits: the one divergence between the two.
TEST(KvPolicyDivergence, AnIntervalBeyondThirtyOneBits) {
  json question = {{"ask", "bank_due"}, {"committed", 4096}, {"knobs", kDefaults}};
  question["knobs"]["continued_interval_tokens"] = 2147483647;
  EXPECT_EQ(Answer(kPaged, json::array({question})), json({true}));
  EXPECT_EQ(Answer(kPorted, json::array({question})), json({false}));
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string Text() { return kPsalm.substr(0, 8 + Below(200)) + (Below(2) ? "#" : ""); }
  json Record() {
    static constexpr int kReplayable[][2] = {{1, 0},  {2, 0},  {3, 32}, {4, 1},
                                             {7, 16}, {8, 17}, {9, 16}};
    const auto& [reason, ext] = kReplayable[Below(7)];
    return {{"text", Text()},
            {"tokens", 1 + Below(200)},
            {"hits", Below(4)},
            {"context", 256 << Below(2)},
            {"created", 1000000},
            {"last_used", 1000000 + Below(90000)},
            {"file_bytes", 1000 + Below(100000)},
            {"reason", Below(9) ? reason : Below(256)},
            {"ext", Below(9) ? ext : Below(256)},
            {"model", Below(9) ? 1 : 3},
            {"quant", Below(3) ? 4 : 2}};
  }
  json Question(const char* ask) {
    json records = json::array();
    for (int i = Below(12); i >= 0; --i) records.push_back(Record());
    return {{"ask", ask},
            {"records", records},
            {"tier", Below(2) ? "serial" : "bank"},
            {"asker",
             {{"text", Text() + (Below(2) ? " and on" : "")},
              {"context", 256 << Below(2)},
              {"model", 1},
              {"quant", 4}}},
            {"incoming_bytes", Below(60000)},
            {"now", 1100000},
            {"knobs",
             {{"budget_bytes", 50000 + Below(400000)},
              {"min_lcp", 8 + Below(32)},
              {"reject_different_quant", Below(2) == 1}}}};
  }

 private:
  std::mt19937_64 random_;
};

TEST(KvPolicies, BothAgreeOnRandomStores) {
  for (const char* ask : {"evict", "lookup", "lcp", "score"}) {
    Dice dice(7);
    json questions = json::array();
    for (int i = 0; i < 500; ++i) questions.push_back(dice.Question(ask));
    const json paged = Answer(kPaged, questions), ported = Answer(kPorted, questions);
    std::size_t said = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      said += !paged[i].is_null() && paged[i] != json::array();
      if (ask != std::string("score")) {
        ASSERT_EQ(paged[i], ported[i]) << questions[i];
        continue;
      }
      for (std::size_t j = 0; j < paged[i].size(); ++j) {
        ASSERT_LE(std::abs(paged[i][j].get<double>() - ported[i][j].get<double>()), 1e-12);
      }
    }
    EXPECT_GT(said, 100) << ask;
  }
}

TEST(KvPolicies, BothAgreeOnWhatIsCompatible) {
  Dice dice(8);
  json questions = json::array();
  for (int i = 0; i < 500; ++i) {
    json present = dice.Record(), made = dice.Record();
    made["text"] = dice.Below(8) ? present["text"] : made["text"];
    questions.push_back({{"ask", "compatible"}, {"present", present}, {"made", made}});
  }
  const json paged = Answer(kPaged, questions);
  EXPECT_EQ(paged, Answer(kPorted, questions));
  EXPECT_THAT(paged, testing::Contains(json(true)));
  EXPECT_THAT(paged, testing::Contains(json(false)));
}

}  // namespace
}  // namespace parity
