// Each mutant of serving shows itself where its table says, and the text stays right where it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

class KvMutants : public testing::Test {
 protected:
  Serving Port(const std::string& mutant = "", const json& more = json::object()) {
    json kv = {
        {"folder", folder_.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
    kv.update(more);
    return {.library = kPorted, .kv = kv, .mutant = mutant};
  }
  void Save(const std::string& mutant = "", const json& more = json::object()) {
    Answers(Port(mutant, more), {Complete({{"prompt", kPsalm}, {"max_tokens", 0}}), Stop()});
  }
  json Load(const std::string& mutant, const std::string& suffix = " Yea,") {
    return Answers(Port(mutant), {Complete({{"prompt", kPsalm + suffix},
                                            {"max_tokens", 8},
                                            {"ignore_end", true},
                                            {"logits", rows_.path() / (mutant + "rows")}})})[0];
  }
  // Of what the right engine and the mutant load from the same record.
  std::pair<json, json> Both(const std::string& mutant, const std::string& suffix = " Yea,") {
    Save();
    const std::string record = ReadBytes(folder_.Only());
    const json right = Load("", suffix);
    right_after_ = ReadBytes(folder_.Only());
    WriteBytes(folder_.Only(), record);
    return {right, Load(mutant, suffix)};
  }
  bool RowsDiffer(const std::string& mutant) {
    return ReadBytes(rows_.path() / "rows") != ReadBytes(rows_.path() / (mutant + "rows"));
  }
  Folder folder_, rows_;
  std::string right_after_;
};

TEST_F(KvMutants, CachedZeroHasTheRightTextAndComputesItAnew) {
  const auto [right, wrong] = Both("kv_cached_zero");
  EXPECT_EQ(wrong["ids"], right["ids"]);
  EXPECT_GT(right["usage"]["cached"], 0);
  EXPECT_EQ(wrong["usage"]["cached"], 0);
  EXPECT_GT(wrong["ran"]["rows"], right["ran"]["rows"]);
}

TEST_F(KvMutants, SwappedHeadsAndPositionsChangeTheLogitsAlone) {
  for (const char* mutant : {"kv_swapped_heads", "kv_position_off_by_one"}) {
    for (const fs::path& left : folder_.Records()) fs::remove(left);
    const auto [right, wrong] = Both(mutant);
    EXPECT_EQ(wrong["usage"]["cached"], right["usage"]["cached"]) << mutant;
    EXPECT_TRUE(RowsDiffer(mutant)) << mutant;
  }
}

TEST_F(KvMutants, StaleLogitsShowWhereNothingIsComputed) {
  const auto [right, wrong] = Both("kv_keeps_stale_logits", "");
  EXPECT_EQ(wrong["usage"]["computed"], 0);
  EXPECT_NE(wrong["ids"], right["ids"]);
}

TEST_F(KvMutants, WrongReason) {
  Save("kv_wrong_reason");
  EXPECT_EQ(ReadBytes(folder_.Only())[5], 3);
}

TEST_F(KvMutants, HitsNotCounted) {
  Both("kv_hits_not_counted");
  EXPECT_EQ(right_after_[12], 1);
  EXPECT_EQ(ReadBytes(folder_.Only())[12], 0);
}

TEST_F(KvMutants, RewritesRecord) {
  Both("kv_rewrites_record");
  EXPECT_EQ(right_after_[5], 4);
  EXPECT_EQ(ReadBytes(folder_.Only())[5], 0);
}

TEST_F(KvMutants, TrailerDropped) {
  const json chat = {{"do", "complete"},   {"surface", "chat"},
                     {"tools", true},      {"max_tokens", 8},
                     {"ignore_end", true}, {"messages", {{{"role", "user"}, {"content", kPsalm}}}}};
  Answers(Port("kv_trailer_dropped"), {chat, Stop()});
  EXPECT_EQ(ReadBytes(folder_.Only())[6], 0);
  EXPECT_EQ(ReadBytes(folder_.Only()).find("KTM"), std::string::npos);
}

TEST_F(KvMutants, AcceptsWrongModel) {
  Save("", {{"fingerprint", true}});
  std::string record = ReadBytes(folder_.Only());
  record[record.size() - 10] = static_cast<char>(record[record.size() - 10] ^ 1);
  WriteBytes(folder_.Only(), record);
  EXPECT_EQ(Load("")["usage"]["cached"], 0);
  EXPECT_GT(Load("kv_accepts_wrong_model")["usage"]["cached"], 0);
}

TEST_F(KvMutants, EvictsPinned) {
  const auto in_bank = [](const std::string& prompt) {
    return Complete({{"prompt", prompt}, {"lane", "continuous"}, {"pin", true}, {"max_tokens", 1}});
  };
  const std::vector<json> requests = {in_bank(kPsalm), in_bank(kGenesis)};
  const json one_bank = {{"banks", 1}};
  EXPECT_THROW(Answers(Port("", one_bank), requests), EngineError);
  EXPECT_EQ(Answers(Port("kv_evicts_pinned", one_bank), requests).size(), 2);
}

}  // namespace
}  // namespace parity
