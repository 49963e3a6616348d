// The serial lane: what is stored when, and that a restored session goes on as it would have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct Pair {
  TinyLibrary saves, loads;
  std::uint32_t saving_ranks, loading_ranks;
  const char* dtype;
};

class KvFourWay : public testing::TestWithParam<Pair> {};

INSTANTIATE_TEST_SUITE_P(
    All, KvFourWay,
    testing::Values(Pair{kPaged, kPaged, 1, 1, "f32"}, Pair{kPorted, kPorted, 1, 1, "f32"},
                    Pair{kPaged, kPorted, 1, 1, "f32"}, Pair{kPorted, kPaged, 1, 1, "f32"},
                    Pair{kPaged, kPorted, 1, 2, "f32"}, Pair{kPorted, kPaged, 2, 1, "f32"},
                    Pair{kPorted, kPorted, 2, 2, "bf16"}, Pair{kPaged, kPaged, 1, 1, "bf16"}),
    [](const auto& test) {
      return std::string(test.param.saves.engine) + std::to_string(test.param.saving_ranks) +
             "_to_" + test.param.loads.engine + std::to_string(test.param.loading_ranks) + "_" +
             test.param.dtype;
    });

// The record is of a prompt and 8 tokens; the loader goes on behind both.
TEST_P(KvFourWay, RestoredGoesOnAsUnrestored) {
  const Pair& pair = GetParam();
  const Folder folder, rows;
  const json kv = {
      {"folder", folder.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
  const std::vector<json> saved =
      Answers({pair.saves, kv, pair.saving_ranks, pair.dtype},
              {Complete({{"prompt", kGenesis}, {"max_tokens", 8}}), Stop()});
  ASSERT_EQ(EventsOf(saved[1], "store").size(), 1);
  const std::uint64_t stored = EventsOf(saved[1], "store")[0]["tokens"];
  const std::string prompt = kGenesis + saved[0]["text"].get<std::string>() + " And God said";
  const auto go_on = [&](const fs::path& logits) {
    return Complete({{"prompt", prompt}, {"max_tokens", 12}, {"logits", logits}});
  };
  const json restored = Answers({pair.loads, kv, pair.loading_ranks, pair.dtype},
                                {go_on(rows.path() / "restored")})[0];
  EXPECT_EQ(restored["usage"]["cached"], stored);
  EXPECT_EQ(restored["restored"]["from"], "disk");
  EXPECT_EQ(restored["usage"]["prompt"], stored + restored["usage"]["computed"].get<int>());
  // Un-restored, the loader prefills the same prompt and decodes the same tokens itself.
  const json cold = {{"cold_max_tokens", 0}};
  const std::vector<json> whole = Answers(
      {pair.loads, cold, pair.loading_ranks, pair.dtype},
      {Complete({{"prompt", kGenesis}, {"max_tokens", 8}}), go_on(rows.path() / "unrestored")});
  EXPECT_EQ(whole[1]["restored"]["from"], "memory");
  EXPECT_EQ(restored["ids"], whole[1]["ids"]);
  EXPECT_GT(restored["ids"].size(), 4);
  const std::string with = ReadBytes(rows.path() / "restored");
  EXPECT_EQ(with.size(), restored["ids"].size() * 1024 * sizeof(float));
  // Sums over two ranks round otherwise than over one.
  if (pair.saving_ranks == pair.loading_ranks) {
    EXPECT_EQ(with, ReadBytes(rows.path() / "unrestored"));
  }
}

class KvSerial : public testing::TestWithParam<TinyLibrary> {
 protected:
  // Nothing is stored but what `knobs` turn on.
  json Quiet(json knobs = json::object()) {
    json kv = {
        {"folder", folder_.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
    kv.update(knobs);
    return kv;
  }
  std::vector<json> Ask(const json& kv, const std::vector<json>& requests) {
    return Answers({GetParam(), kv}, requests);
  }
  // The one record: its reason, ext and tokens.
  void ExpectOnly(int reason, int ext, std::uint64_t tokens) {
    const std::string record = ReadBytes(folder_.Only());
    EXPECT_EQ(record[5], reason);
    EXPECT_EQ(record[6], ext);
    EXPECT_EQ(static_cast<unsigned char>(record[8]), tokens);
  }

  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, KvSerial, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvSerial, ColdIsTheAlignedBeginning) {
  const json answer = Ask(Quiet({{"cold_max_tokens", 512}}),
                          {Complete({{"prompt", kPsalm}, {"max_tokens", 0}})})[0];
  const std::uint64_t prompt = answer["usage"]["prompt"];
  ExpectOnly(1, 0, (prompt - 4) / 16 * 16);
  EXPECT_EQ(answer["usage"]["cached"], 0);
}

TEST_P(KvSerial, AnExactPromptIsRestoredWithItsFrontier) {
  const json kv =
      Quiet({{"cold_max_tokens", 512}, {"boundary_trim_tokens", 0}, {"boundary_align_tokens", 1}});
  const json request = Complete({{"prompt", kPsalm}, {"max_tokens", 4}});
  const json cold = Ask(kv, {request})[0];
  const json warm = Ask(kv, {request})[0];
  EXPECT_EQ(warm["usage"]["computed"], 0);
  EXPECT_EQ(warm["usage"]["cached"], cold["usage"]["prompt"]);
  EXPECT_EQ(warm["ids"], cold["ids"]);
  EXPECT_LT(warm["ran"]["ops"], cold["ran"]["ops"]);
}

TEST_P(KvSerial, ContinuedInsidePrefill) {
  const json answer = Ask(Quiet({{"continued_interval_tokens", 32}}),
                          {Complete({{"prompt", kPsalm}, {"max_tokens", 0}})})[0];
  const std::uint64_t prompt = answer["usage"]["prompt"];
  ASSERT_GT(prompt, 64);
  EXPECT_EQ(folder_.Records().size(), prompt / 32);
  for (const json& store : EventsOf(answer, "store")) {
    EXPECT_EQ(store["reason"], "continued");
    EXPECT_EQ(store["tokens"].get<int>() % 32, 0);
  }
}

TEST_P(KvSerial, ContinuedAtTheDecodeFrontier) {
  const json first = Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 0}})})[0];
  const int frontier = first["usage"]["prompt"].get<int>() + 3;
  const json kv = Quiet({{"continued_interval_tokens", frontier}, {"boundary_align_tokens", 1}});
  Ask(kv, {Complete({{"prompt", kPsalm}, {"max_tokens", 6}, {"ignore_end", true}})});
  ExpectOnly(2, 0, static_cast<std::uint64_t>(frontier));
}

// A frontier behind the last token is not stored: there is no catch-up.
TEST_P(KvSerial, NothingIsStoredBehindTheLastToken) {
  const json first = Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 0}})})[0];
  const int frontier = first["usage"]["prompt"].get<int>() + 3;
  const json kv = Quiet({{"continued_interval_tokens", frontier}, {"boundary_align_tokens", 1}});
  Ask(kv, {Complete({{"prompt", kPsalm}, {"max_tokens", 3}, {"ignore_end", true}})});
  EXPECT_TRUE(folder_.Records().empty());
}

TEST_P(KvSerial, EvictWhenAnUnrelatedPromptComes) {
  const std::vector<json> answers =
      Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 2}}),
                    Complete({{"prompt", kGenesis}, {"max_tokens", 1}})});
  const json& usage = answers[0]["usage"];
  ExpectOnly(3, 0, usage["prompt"].get<std::uint64_t>() + usage["output"].get<std::uint64_t>());
  EXPECT_EQ(answers[1]["usage"]["cached"], 0);
}

TEST_P(KvSerial, ShutdownStoresWhatIsLive) {
  Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 0}}), Stop()});
  const json answer = Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 1}})})[0];
  ExpectOnly(4, 0, answer["usage"]["cached"]);
  EXPECT_EQ(answer["usage"]["computed"], 0);
}

TEST_P(KvSerial, AShorterPromptRewindsTheLiveSession) {
  const std::string& whole = kPsalm;
  const std::string part = whole.substr(0, whole.find(" He restoreth"));
  const json request = Complete({{"prompt", part}, {"max_tokens", 6}});
  const std::vector<json> answers =
      Ask(Quiet(), {Complete({{"prompt", whole}, {"max_tokens", 2}}), request});
  EXPECT_EQ(answers[1]["usage"]["computed"], 1);
  EXPECT_EQ(answers[1]["restored"]["from"], "memory");
  EXPECT_EQ(answers[1]["ids"], Ask(json::object(), {request})[0]["ids"]);
  EXPECT_TRUE(folder_.Records().empty());
}

TEST_P(KvSerial, ARecordBeyondColdMaxIsConsumedAndOthersAreCounted) {
  Ask(Quiet(), {Complete({{"prompt", kPsalm}, {"max_tokens", 0}}), Stop()});
  const std::string before = ReadBytes(folder_.Only());
  const std::string prompt = kPsalm + " Yea, though I walk";
  const json request = Complete({{"prompt", prompt}, {"max_tokens", 1}});
  Ask(Quiet(), {request});
  std::string after = ReadBytes(folder_.Only());
  EXPECT_EQ(after[12], before[12] + 1);
  EXPECT_EQ(Masked(after), Masked(before));
  const json answer = Ask(Quiet({{"cold_max_tokens", 16}}), {request})[0];
  EXPECT_EQ(EventsOf(answer, "consume").size(), 1);
  EXPECT_GT(answer["usage"]["cached"], 16);
  EXPECT_TRUE(folder_.Records().empty());
}

// What is restored are the stored tokens, not those that the whole text would be.
TEST_P(KvSerial, OnlyTheSuffixIsTokenized) {
  const std::string prompt = "And God made the firmament, and divided the waters which were";
  const json first =
      Ask(Quiet(), {Complete({{"prompt", prompt + " unde"}, {"max_tokens", 0}}), Stop()})[0];
  const json second =
      Ask(Quiet(), {Complete({{"prompt", prompt + " under"}, {"max_tokens", 1}})})[0];
  EXPECT_EQ(second["usage"]["cached"], first["usage"]["prompt"]);
  EXPECT_EQ(second["usage"]["computed"], 1);
  const json fresh =
      Answers({GetParam()}, {Complete({{"prompt", prompt + " under"}, {"max_tokens", 1}})})[0];
  EXPECT_LT(fresh["usage"]["prompt"], second["usage"]["prompt"]);
}

TEST(KvRecords, BothEnginesWriteTheSameBytes) {
  const auto records = [](const TinyLibrary& library, std::uint32_t ranks) {
    const Folder folder;
    const json kv = {{"folder", folder.path()}, {"fingerprint", true}};
    const json message = {{"role", "user"}, {"content", kPsalm}};
    const json called = Complete({{"surface", "chat"},
                                  {"messages", json::array({message})},
                                  {"tools", true},
                                  {"max_tokens", 8},
                                  {"ignore_end", true}});
    json in_bank = called;
    in_bank["lane"] = "continuous";
    Answers({library, kv, ranks},
            {Complete({{"prompt", kGenesis}, {"max_tokens", 20}}),
             Complete({{"prompt", kPsalm}, {"attachments", {"00ff10"}}, {"max_tokens", 3}}), called,
             in_bank, Stop()});
    std::map<std::string, std::string> found;
    for (const fs::path& path : folder.Records()) {
      found[path.filename().string()] = Masked(ReadBytes(path));
    }
    return found;
  };
  const auto paged = records(kPaged, 1);
  EXPECT_GE(paged.size(), 6);
  const auto ported = records(kPorted, 1);
  for (const auto& [name, bytes] : paged) {
    ASSERT_TRUE(ported.contains(name)) << name;
    EXPECT_TRUE(bytes == ported.at(name)) << name;
  }
  EXPECT_EQ(paged.size(), ported.size());
}

}  // namespace
}  // namespace parity
