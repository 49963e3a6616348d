// Answers a token at a time: `open`, `step`, `close`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

json Chat(const json& fields) {
  json request = {{"surface", "chat"},
                  {"messages", {{{"role", "user"}, {"content", kPsalm}}}},
                  {"max_tokens", 24}};
  request.update(fields);
  return request;
}

// The fields of an answer each, by what they are of.
std::vector<std::pair<const char*, json>> Cases() {
  return {
      {"a text", {{"prompt", kPsalm}, {"max_tokens", 70}, {"ignore_end", true}}},
      {"an end of the model's own", Chat({{"max_tokens", 200}})},
      {"nothing", Chat({{"max_tokens", 0}})},
      {"no thinking", Chat({{"think", false}})},
      {"thinking", Chat({{"think_tokens", 6}})},
      {"thinking without an end", Chat({{"think_tokens", 6}, {"max_tokens", 7}})},
      {"characters of several bytes",
       Chat({{"forced", "d\u00e9j\u00e0 \u65e5\u672c \U0001f600!"}})},
      {"a call", Chat({{"tools", true}})},
      {"a whole call", Chat({{"tools", true}, {"call_tokens", 9}, {"ignore_end", true}})},
      {"a call that is cut", Chat({{"tools", true}, {"call_tokens", 30}, {"ignore_end", true}})},
      {"thinking and a call", Chat({{"tools", true}, {"think_tokens", 5}, {"call_tokens", 8}})},
  };
}

json Do(const char* what, json fields) {
  fields["do"] = what;
  return fields;
}

json Step(const std::vector<int>& generations) {
  return Do("step", {{"generations", generations}});
}

void Append(json& list, const json& more) {
  for (const json& one : more) list.push_back(one);
}

void Add(json& ran, const json& more) {
  for (const char* key : {"ops", "rows"}) ran[key] = ran[key].get<int>() + more[key].get<int>();
}

// What `complete` would have answered, put together from the steps.
json Streamed(const Ask& ask, const json& fields) {
  json told = ask(Do("open", fields));
  const int generation = told["generation"];
  json answer = {{"ids", json::array()}, {"text", ""}};
  answer.update(told);
  answer.erase("generation");
  while (!answer.contains("finish")) {
    told = ask(Step({generation}));
    json step = told["steps"].at(0);
    EXPECT_EQ(step["generation"], generation);
    Append(answer["ids"], step["ids"]);
    answer["text"] = answer["text"].get<std::string>() + step["text"].get<std::string>();
    Add(answer["ran"], told["ran"]);
    Append(answer["events"], told["events"]);
    for (const char* key : {"generation", "ids", "text"}) step.erase(key);
    answer.update(step);
  }
  Append(answer["events"], ask(Do("close", {{"generations", {generation}}}))["events"]);
  return answer;
}

// Ids of calls are the process's own.
json WithoutCallIds(json answer) {
  for (json& call : answer["tool_calls"]) call.erase("id");
  return json::parse(nlohmann::json(answer).dump());  // keys in one order
}

class Streaming : public testing::TestWithParam<std::tuple<TinyLibrary, const char*>> {
 protected:
  Serving On(const Folder& folder) const {
    return {std::get<0>(GetParam()), {{"folder", folder.path()}, {"banks", 2}}};
  }
  json InLane(json fields) const {
    fields["lane"] = std::get<1>(GetParam());
    return fields;
  }
};

INSTANTIATE_TEST_SUITE_P(All, Streaming,
                         testing::Combine(testing::Values(kPaged, kPorted),
                                          testing::Values("serial", "continuous")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).engine) + "_" +
                                  std::get<1>(test.param);
                         });

TEST_P(Streaming, StepsAreTheAnswer) {
  for (const auto& [name, fields] : Cases()) {
    SCOPED_TRACE(name);
    const Folder whole, stepped;
    const json request = InLane(fields);
    json expected, answer;
    const json counted = OnFreshSide(On(whole), [&](const Ask& ask) {
      expected = ask(Do("complete", request));
      ask(Stop());
    });
    const json counters = OnFreshSide(On(stepped), [&](const Ask& ask) {
      answer = Streamed(ask, request);
      ask(Stop());
    });
    EXPECT_EQ(WithoutCallIds(answer), WithoutCallIds(expected));
    EXPECT_EQ(counters, counted);
    ASSERT_EQ(stepped.Records().size(), whole.Records().size());
  }
}

TEST_P(Streaming, ThinkingIsClosedAndACallFollows) {
  const Folder folder;
  const json answers = Answers(
      On(folder),
      {Do("complete", InLane(Chat({{"think_tokens", 5}, {"max_tokens", 30}}))),
       Do("complete", InLane(Chat({{"think_tokens", 5}, {"max_tokens", 6}}))),
       Do("complete", InLane(Chat({{"tools", true}, {"think_tokens", 5}, {"call_tokens", 8}}))),
       Do("complete", InLane(Chat({{"tools", true}, {"call_tokens", 8}, {"max_tokens", 7}})))});
  EXPECT_THAT(answers[0]["text"].get<std::string>(), HasSubstr("</think>"));
  EXPECT_THAT(answers[1]["text"].get<std::string>(), testing::Not(HasSubstr("<")));
  EXPECT_EQ(answers[2]["finish"], "tool_calls");
  EXPECT_THAT(answers[2]["text"].get<std::string>(), testing::EndsWith("</think>"));
  EXPECT_EQ(answers[3]["finish"], "length");
  EXPECT_EQ(answers[3]["tool_calls"], json::array());
  EXPECT_NE(answers[3]["text"], "");
}

TEST_P(Streaming, NoStepEndsInsideACharacter) {
  const Folder folder;
  std::string text;
  OnFreshSide(On(folder), [&](const Ask& ask) {
    const json fields = InLane(Chat({{"forced", "a\U0001f600b\u00e9"}, {"max_tokens", 12}}));
    ask(Do("open", fields));
    for (int i = 0; i < 12; ++i) {
      const json step = ask(Step({1}))["steps"][0];
      const std::string told = step["text"];
      EXPECT_EQ(told.find("\ufffd"), std::string::npos) << told;
      text += told;
      if (step.contains("finish")) break;
    }
  });
  EXPECT_THAT(text, testing::StartsWith("a\U0001f600b\u00e9"));
}

TEST_P(Streaming, ACancelledAnswerLeavesAGoodSession) {
  const Folder folder;
  const json fields = InLane(Chat({{"max_tokens", 20}, {"ignore_end", true}}));
  const json whole = Answers(On(folder), {Do("complete", fields)})[0];
  const Folder other;
  OnFreshSide(On(other), [&](const Ask& ask) {
    ask(Do("open", fields));
    for (int i = 0; i < 3; ++i) ask(Step({1}));
    ask(Do("close", {{"generations", {1}}}));
    EXPECT_EQ(ask(Do("complete", fields))["ids"], whole["ids"]);
  });
}

class Batches : public testing::TestWithParam<TinyLibrary> {};

INSTANTIATE_TEST_SUITE_P(All, Batches, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

// Whoever joins or leaves, an answer is what it is alone.
TEST_P(Batches, AnswersOfABatchAreTheirOwn) {
  const json one = {
      {"prompt", kPsalm}, {"max_tokens", 9}, {"ignore_end", true}, {"lane", "continuous"}};
  json other = one;
  other["prompt"] = kGenesis;
  other["max_tokens"] = 15;
  const json first = Answers({GetParam()}, {Do("complete", one)})[0];
  const json second = Answers({GetParam()}, {Do("complete", other)})[0];
  OnFreshSide({GetParam()}, [&](const Ask& ask) {
    json ids[3];
    const auto step = [&](const std::vector<int>& generations) {
      const json answer = ask(Step(generations));
      for (const json& told : answer["steps"]) {
        Append(ids[told["generation"].get<int>()], told["ids"]);
      }
    };
    EXPECT_EQ(ask(Do("open", one))["generation"], 1);
    for (int i = 0; i < 4; ++i) step({1});
    EXPECT_EQ(ask(Do("open", other))["generation"], 2);
    for (int i = 0; i < 5; ++i) step({2, 1});
    for (int i = 0; i < 10; ++i) step({2});
    EXPECT_EQ(ids[1], first["ids"]);
    EXPECT_EQ(ids[2], second["ids"]);
  });
}

TEST_P(Batches, WhatIsInUseIsNobodyElses) {
  const auto expect_refusal = [&](const Ask& ask, const json& request, const char* words) {
    try {
      ask(request);
      ADD_FAILURE() << request;
    } catch (const EngineError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  OnFreshSide({GetParam(), {{"banks", 1}}}, [&](const Ask& ask) {
    for (const char* lane : {"serial", "continuous"}) {
      ask(Do("open", {{"prompt", kPsalm}, {"lane", lane}}));
    }
    expect_refusal(ask, Complete({{"prompt", kPsalm}}), "lane_free");
    expect_refusal(ask, Complete({{"prompt", kPsalm + " And"}, {"lane", "continuous"}}),
                   "bank_available");
    ask(Do("close", {{"generations", {1, 2}}}));
    ask(Complete({{"prompt", kPsalm}}));
    EXPECT_NE(
        ask(Complete({{"prompt", kPsalm + " And"}, {"lane", "continuous"}}))["usage"]["cached"], 0);
    expect_refusal(ask, Step({1}), "request.generations: 1 is not open");
    expect_refusal(ask, Do("step", {{"generations", json::array()}}), "expected the numbers");
    expect_refusal(ask, Do("close", {{"generations", {1, 1}}}), "each once");
    ask(Do("open", {{"prompt", kPsalm}, {"max_tokens", 0}}));
    expect_refusal(ask, Step({3}), "request.generations: 3 is over");
    ask(Stop());
    expect_refusal(ask, Step({3}), "3 is not open");
  });
}

}  // namespace
}  // namespace parity
