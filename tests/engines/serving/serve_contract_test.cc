// What `serve` takes and refuses, and what it counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

class ServeContract : public testing::TestWithParam<TinyLibrary> {
 protected:
  void ExpectThrow(const Serving& serving, const json& request, parity_status status,
                   const std::string& words) {
    try {
      Answers(serving, {request});
      ADD_FAILURE() << request << ": expected an error with \"" << words << "\"";
    } catch (const EngineError& error) {
      EXPECT_EQ(error.status(), status) << request;
      EXPECT_THAT(error.what(), HasSubstr(words)) << request;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(All, ServeContract, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

struct Bad {
  json request;
  const char* words;
};

TEST_P(ServeContract, BadRequestsAreExplained) {
  const Bad cases[] = {
      {json::array(), "request is not a JSON object"},
      {json::object(), "request.do is missing"},
      {{{"do", "sing"}},
       "request.do is \"sing\", expected one of complete, open, step, close, restore, stop, "
       "policy"},
      {Complete(json::object()), "expected \"prompt\" alone on surface \"completions\""},
      {Complete({{"prompt", "a"}, {"surface", "chat"}}), "expected \"messages\" alone"},
      {Complete({{"prompt", 3}}), "request.prompt is 3, expected a string"},
      {Complete({{"prompt", "a"}, {"max_token", 1}}), "unknown key \"max_token\""},
      {Complete({{"prompt", "a"}, {"max_tokens", -1}}), "expected a whole number"},
      {Complete({{"prompt", "a"}, {"think_tokens", 1}}),
       "request.think_tokens: expected on surface"},
      {Complete({{"prompt", "a"}, {"call_tokens", -1}}), "expected a whole number"},
      {Complete({{"prompt", "a"}, {"forced", 1}}), "request.forced is 1, expected a string"},
      {Complete({{"prompt", "a"}, {"lane", "fast"}}), "expected \"serial\" or \"continuous\""},
      {Complete({{"prompt", "a"}, {"attachments", json::array({"0g"})}}),
       "request.attachments[0] is \"0g\""},
      {Complete({{"surface", "chat"}, {"messages", json::array({{{"role", "user"}}})}}),
       "request.messages[0]: expected \"role\" and \"content\""},
      {Complete({{"prompt", "a"}, {"logits", "/nowhere/rows"}}), "cannot be written"},
      {{{"do", "policy"}, {"questions", json::array({{{"ask", "why"}}})}},
       "request.questions[0].ask is \"why\", known are store_len"},
      {{{"do", "stop"}, {"now", true}}, "unknown key \"now\""},
  };
  for (const Bad& bad : cases) {
    ExpectThrow({GetParam()}, bad.request, PARITY_INVALID, bad.words);
  }
  ExpectThrow({GetParam(), {{"banks", 0}}}, Complete({{"prompt", "a"}, {"lane", "continuous"}}),
              PARITY_INVALID, "config.kv.banks is 0");
}

TEST_P(ServeContract, BadKnobsAreExplained) {
  const Bad cases[] = {
      {{{"foldr", "x"}}, "config.kv: unknown key \"foldr\", known are folder"},
      {{{"min_tokens", 0}}, "config.kv.min_tokens is 0, expected at least 1"},
      {{{"min_tokens", 3000000000u}}, "expected at most 2147483647"},
      {{{"cold_max_tokens", 8}}, "expected 0 or at least min_tokens, 16"},
      {{{"banks", 8}}, "config.kv.banks is 8, expected 0 to 7"},
      {{{"context", 1000}}, "config.kv.context is 1000, expected at most 512 with 3 banks"},
      {{{"dtype", "bf16"}}, "config.kv.dtype is \"bf16\", expected the cache's \"f32\""},
  };
  for (const Bad& bad : cases) {
    ExpectThrow({GetParam(), bad.request}, Stop(), PARITY_INVALID, bad.words);
  }
  EXPECT_THAT(
      [] {
        Answers({kContiguous, {{"banks", 1}}}, {Stop()});
      },
      testing::ThrowsMessage<EngineError>(HasSubstr("\"contiguous\" serves nothing")));
}

TEST_P(ServeContract, APromptMustLeaveRoom) {
  const json request = Complete({{"prompt", kGenesis}, {"max_tokens", 1}});
  const int prompt = Answers({GetParam()}, {request})[0]["usage"]["prompt"];
  ExpectThrow({GetParam(), {{"context", prompt}}}, request, PARITY_REFUSED, "context_limit");
  const json tight =
      Answers({GetParam(), {{"context", prompt + 3}}},
              {Complete({{"prompt", kGenesis}, {"max_tokens", 9}, {"ignore_end", true}})})[0];
  EXPECT_EQ(tight["usage"]["output"], 2);
  EXPECT_EQ(tight["finish"], "length");
}

TEST_P(ServeContract, CountersAddUp) {
  const Folder folder;
  std::uint64_t cached = 0, computed = 0, output = 0, ops = 0;
  const json counters = OnFreshSide({GetParam(), {{"folder", folder.path()}}}, [&](const Ask& ask) {
    for (const json& request :
         {Complete({{"prompt", kPsalm}, {"max_tokens", 3}}),
          Complete({{"prompt", kGenesis}, {"max_tokens", 2}}),
          Complete({{"prompt", kPsalm}, {"max_tokens", 3}, {"lane", "continuous"}})}) {
      const json answer = ask(request);
      cached += answer["usage"]["cached"].get<std::uint64_t>();
      computed += answer["usage"]["computed"].get<std::uint64_t>();
      output += answer["usage"]["output"].get<std::uint64_t>();
      ops += answer["ran"]["ops"].get<std::uint64_t>();
    }
  });
  EXPECT_EQ(counters["prefill_cached"], cached);
  EXPECT_EQ(counters["prefill_computed"], computed);
  EXPECT_EQ(counters["decoded"], output);
  EXPECT_EQ(counters["ops"], ops);
  EXPECT_EQ(counters["requests"], 3);
  EXPECT_EQ(counters["routes_completions_serial"], 2);
  EXPECT_EQ(counters["routes_completions_continuous"], 1);
  EXPECT_EQ(counters["hits"], 1);
  EXPECT_EQ(counters["misses"], 2);
  EXPECT_EQ(counters["stores_evict"], 1);
}

// What stages does with the caches what it likes: a session from before is not gone on with.
TEST_P(ServeContract, StagingEndsTheSessions) {
  ForRanks({.library = GetParam()}, [](TinySession& session) {
    const std::string request =
        Complete({{"prompt", kPsalm}, {"max_tokens", 1}, {"ignore_end", true}}).dump();
    const json first = json::parse(session.rank().Serve(request));
    EXPECT_EQ(json::parse(session.rank().Serve(request))["usage"]["computed"], 1);
    session.Step("prefill", {{0, {0, 5, 7}}});
    const json after = json::parse(session.rank().Serve(request));
    EXPECT_EQ(after["usage"]["cached"], 0);
    EXPECT_EQ(after["ids"], first["ids"]);
    session.rank().Reset();
    EXPECT_EQ(json::parse(session.rank().Serve(request))["usage"]["cached"], 0);
  });
}

}  // namespace
}  // namespace parity
