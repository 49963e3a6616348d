// How far a damaged tool map is read: entries before the damage count, and the record stays good.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string Number(std::uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

std::string Entry(const std::string& id, const std::string& block) {
  return Number(static_cast<std::uint32_t>(id.size())) +
         Number(static_cast<std::uint32_t>(block.size())) + id + block;
}

class KvTrailer : public testing::TestWithParam<TinyLibrary> {
 protected:
  static constexpr char kId[] = "call_00000000000000000000000000000001";

  void SetUp() override {
    const json first =
        Answers({GetParam(), Knobs()}, {Chat({Say("user", kPsalm)}, true), Stop()})[0];
    const json& arguments = first["tool_calls"].at(0)["arguments"];
    block_ = arguments["a"].get<std::string>() + arguments["b"].get<std::string>();
    reordered_ = {{"id", kId}, {"arguments", {{"b", arguments["b"]}, {"a", arguments["a"]}}}};
    path_ = folder_.Only();
    record_ = ReadBytes(path_);
    record_.resize(record_.rfind("KTM\x01"));
  }

  // Whether the call's bytes are found in a trailer of these bytes.
  bool IsKnownFrom(const std::string& trailer) {
    for (const fs::path& left : folder_.Records()) fs::remove(left);
    WriteBytes(path_, record_ + trailer);
    json message = Say("assistant", "");
    message["tool_calls"] = json::array({reordered_});
    const json request = Chat({Say("user", kPsalm), message, Say("user", "So?")}, false);
    const json answer = Answers({GetParam(), Knobs()}, {request})[0];
    EXPECT_TRUE(EventsOf(answer, "refuse").empty());
    return answer["usage"]["cached"].get<int>() > 0;
  }
  std::string Map(std::uint32_t count, const std::string& entries) {
    return std::string("KTM\x01", 4) + Number(count) + entries;
  }
  std::string Good() { return Entry(kId, block_); }

  json Knobs() {
    return {{"folder", folder_.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
  }
  static json Say(const char* role, const std::string& content) {
    return {{"role", role}, {"content", content}};
  }
  static json Chat(const std::vector<json>& messages, bool tools) {
    return Complete({{"surface", "chat"},
                     {"messages", messages},
                     {"tools", tools},
                     {"max_tokens", 8},
                     {"ignore_end", true}});
  }

  Folder folder_;
  fs::path path_;
  std::string record_, block_;
  json reordered_;
};

INSTANTIATE_TEST_SUITE_P(All, KvTrailer, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvTrailer, WholeOnesAreRead) {
  EXPECT_TRUE(IsKnownFrom(Map(1, Good())));
  EXPECT_TRUE(IsKnownFrom(Map(2, Entry("other", "block") + Good())));
  EXPECT_TRUE(IsKnownFrom(Map(1, Good()) + "bytes behind it"));
}

TEST_P(KvTrailer, WhatIsNoneHoldsNothing) {
  EXPECT_FALSE(IsKnownFrom(""));
  EXPECT_FALSE(IsKnownFrom("KTX\x01" + Number(1) + Good()));
  EXPECT_FALSE(IsKnownFrom("KTM\x02" + Number(1) + Good()));
  EXPECT_FALSE(IsKnownFrom(Map(400001, Good())));
  EXPECT_FALSE(IsKnownFrom(Map(0, Good())));
}

TEST_P(KvTrailer, EntriesBeforeTheDamageCount) {
  for (const std::string& damage :
       {Entry("", "block"), Entry(std::string(257, 'i'), "block"), Entry("id", ""),
        Number(2) + Number(0xffffffffu) + "id", std::string("\x01")}) {
    EXPECT_TRUE(IsKnownFrom(Map(3, Good() + damage)));
    EXPECT_FALSE(IsKnownFrom(Map(3, damage + Good())));
  }
  EXPECT_TRUE(IsKnownFrom(Map(2, Entry(std::string(256, 'i'), "block") + Good())));
}

TEST_P(KvTrailer, TruncatedAtEveryByteOfTheLastEntry) {
  const std::string whole = Map(1, Good());
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_FALSE(IsKnownFrom(whole.substr(0, bytes))) << bytes;
  }
}

TEST_P(KvTrailer, TheLastOfEqualIdsWinsAndNulEnds) {
  EXPECT_TRUE(IsKnownFrom(Map(2, Entry(kId, "another block") + Good())));
  EXPECT_FALSE(IsKnownFrom(Map(2, Good() + Entry(kId, "another block"))));
  EXPECT_TRUE(IsKnownFrom(Map(1, Entry(kId, block_ + std::string("\0tail", 5)))));
}

}  // namespace
}  // namespace parity
