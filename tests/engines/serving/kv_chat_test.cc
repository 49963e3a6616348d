// Chats whose records are found again only if the history says the same bytes: thinking, tool
// calls, attachments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::MatchesRegex;

json Say(const char* role, const std::string& content) {
  return {{"role", role}, {"content", content}};
}

json Chat(const std::vector<json>& messages, const json& fields = json::object()) {
  json request = {{"do", "complete"},
                  {"surface", "chat"},
                  {"messages", messages},
                  {"max_tokens", 12},
                  {"ignore_end", true}};
  request.update(fields);
  return request;
}

class KvChat : public testing::TestWithParam<std::tuple<TinyLibrary, const char*>> {
 protected:
  json Asked(const json& request) {
    json kv = {{"folder", folder_.path()},
               {"cold_max_tokens", 0},
               {"continued_interval_tokens", 0},
               {"min_lcp", 400}};
    json in_lane = request;
    in_lane["lane"] = std::get<1>(GetParam());
    return Answers({std::get<0>(GetParam()), kv}, {in_lane, Stop()})[0];
  }
  std::uint64_t Live(const json& answer) {
    return answer["usage"]["prompt"].get<std::uint64_t>() +
           answer["usage"]["output"].get<std::uint64_t>();
  }
  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, KvChat,
                         testing::Combine(testing::Values(kPaged, kPorted),
                                          testing::Values("serial", "continuous")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).engine) + "_" +
                                  std::get<1>(test.param);
                         });

TEST_P(KvChat, AnAnswerThatIsSaidBackIsFound) {
  const json first = Asked(Chat({Say("user", kPsalm)}));
  const json second =
      Asked(Chat({Say("user", kPsalm), Say("assistant", first["text"]), Say("user", "Why?")}));
  EXPECT_EQ(second["usage"]["cached"], Live(first));
  EXPECT_EQ(second["route"]["surface"], "chat");
}

// The turn began with a closed pair: a history without it is another text.
TEST_P(KvChat, AHistoryWithoutTheThinkPairMisses) {
  const json first = Asked(Chat({Say("user", kPsalm)}, {{"think", false}}));
  const auto next = [&](const std::string& answer) {
    return Asked(Chat({Say("user", kPsalm), Say("assistant", answer), Say("user", "Why?")},
                      {{"think", false}}));
  };
  const std::string said = first["text"];
  EXPECT_EQ(next(said)["usage"]["cached"], 0);
  EXPECT_EQ(next("<think></think>" + said)["usage"]["cached"], Live(first));
}

json CallBack(const json& answer, const json& call) {
  json message = Say("assistant", answer["text"]);
  message["tool_calls"] = json::array({call});
  return message;
}

// The arguments in another order say other bytes: only the trailer knows those that were sampled.
TEST_P(KvChat, AReorderedCallIsFoundByTheTrailerAlone) {
  const json first = Asked(Chat({Say("user", kPsalm)}, {{"tools", true}}));
  EXPECT_EQ(first["finish"], "tool_calls");
  const json call = first["tool_calls"].at(0);
  EXPECT_THAT(call["id"].get<std::string>(), MatchesRegex("call_[0-9a-f]{32}"));
  const json reordered = {
      {"id", call["id"]},
      {"arguments", {{"b", call["arguments"]["b"]}, {"a", call["arguments"]["a"]}}}};
  ASSERT_NE(call["arguments"]["b"], "");
  const auto next = [&](const json& said) {
    return Chat({Say("user", kPsalm), CallBack(first, said), Say("tool", "1"), Say("user", "So?")});
  };
  const std::filesystem::path path = folder_.Only();
  const std::string record = ReadBytes(path);
  EXPECT_EQ(record[6] & 1, 1);
  EXPECT_EQ(Asked(next(reordered))["usage"]["cached"], Live(first));
  // Without the trailer the order that was sampled is found, the other is not.
  for (const auto& left : folder_.Records()) std::filesystem::remove(left);
  const std::size_t trailer = record.rfind("KTM\x01");
  ASSERT_NE(trailer, std::string::npos);
  std::string bare = record.substr(0, trailer);
  bare[6] = static_cast<char>(bare[6] & ~1);
  WriteBytes(path, bare);
  EXPECT_EQ(Asked(next(reordered))["usage"]["cached"], 0);
  EXPECT_EQ(Asked(next(call))["usage"]["cached"], Live(first));
}

TEST_P(KvChat, IdsAreUnique) {
  const json request = Chat({Say("user", kPsalm)}, {{"tools", true}});
  const json first = Asked(request), second = Asked(request);
  EXPECT_EQ(first["tool_calls"][0]["arguments"], second["tool_calls"][0]["arguments"]);
  EXPECT_NE(first["tool_calls"][0]["id"], second["tool_calls"][0]["id"]);
}

TEST_P(KvChat, OneByteOfAnAttachmentChangesEverything) {
  const auto shown = [](const std::string& hex, const char* text) {
    return Chat({Say("user", kPsalm + text)}, {{"attachments", json::array({hex})}});
  };
  const json first = Asked(shown("00112233445566778899", ""));
  EXPECT_EQ(ReadBytes(folder_.Only())[6] & 32, 32);
  const auto goes_on = [&](const std::string& hex) {
    json request = shown(hex, "");
    request["messages"].push_back(Say("assistant", first["text"]));
    request["messages"].push_back(Say("user", "Why?"));
    return Asked(request);
  };
  EXPECT_EQ(goes_on("00112233445566778898")["usage"]["cached"], 0);
  EXPECT_EQ(goes_on("00112233445566778899")["usage"]["cached"], Live(first));
}

TEST_P(KvChat, WhatSpellsAMarkerIsRefused) {
  for (const char* text : {"a </s> b", "<s>", "<image:00"}) {
    try {
      Asked(Chat({Say("user", text)}));
      ADD_FAILURE() << text;
    } catch (const EngineError& error) {
      EXPECT_EQ(error.status(), PARITY_INVALID);
      EXPECT_THAT(error.what(), HasSubstr("request.messages[0].content spells the control marker"));
    }
  }
}

}  // namespace
}  // namespace parity
