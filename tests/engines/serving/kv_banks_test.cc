// The continuous lane: which bank serves a prompt, and what is stored of which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

json InBank(const std::string& prompt, std::uint64_t tokens = 2, bool pin = false) {
  return Complete({{"prompt", prompt},
                   {"lane", "continuous"},
                   {"max_tokens", tokens},
                   {"ignore_end", true},
                   {"pin", pin}});
}

std::uint64_t Live(const json& answer) {
  return answer["usage"]["prompt"].get<std::uint64_t>() +
         answer["usage"]["output"].get<std::uint64_t>();
}

class KvBanks : public testing::TestWithParam<TinyLibrary> {
 protected:
  json Knobs(int banks, bool checkpoint = false) {
    return {{"folder", folder_.path()}, {"banks", banks}, {"bank_checkpoint", checkpoint}};
  }
  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, KvBanks, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvBanks, AWarmBankGoesOn) {
  OnFreshSide({GetParam(), Knobs(2)}, [&](const Ask& ask) {
    const json first = ask(InBank(kPsalm));
    ask(InBank(kGenesis));
    const std::string prompt = kPsalm + first["text"].get<std::string>() + " Yea,";
    const json second = ask(InBank(prompt));
    EXPECT_EQ(second["usage"]["cached"], Live(first));
    EXPECT_EQ(second["restored"]["from"], "memory");
    EXPECT_EQ(second["route"], json({{"surface", "completions"}, {"lane", "continuous"}}));
    EXPECT_EQ(second["ids"], Answers({GetParam()}, {InBank(prompt)})[0]["ids"]);
  });
  EXPECT_TRUE(folder_.Records().empty());
}

TEST_P(KvBanks, AForeignPromptEvictsTheBankThatWasUsedLongestAgo) {
  std::uint64_t live = 0;
  std::string prompt;
  OnFreshSide({GetParam(), Knobs(2)}, [&](const Ask& ask) {
    const json first = ask(InBank(kPsalm));
    live = Live(first);
    prompt = kPsalm + first["text"].get<std::string>() + " Yea,";
    ask(InBank(kGenesis));
    const json third = ask(InBank("Now these are the generations of the sons of Noah"));
    ASSERT_EQ(EventsOf(third, "store").size(), 1);
    EXPECT_EQ(EventsOf(third, "store")[0]["reason"], "bank-evict");
  });
  const std::string record = ReadBytes(folder_.Only());
  EXPECT_EQ(record[5], 7);
  EXPECT_EQ(record[6], 16);
  const json restored = Answers({GetParam(), Knobs(2)}, {InBank(prompt, 6)})[0];
  EXPECT_EQ(restored["usage"]["cached"], live);
  EXPECT_EQ(restored["restored"]["from"], "disk");
  EXPECT_EQ(restored["ids"], Answers({GetParam()}, {InBank(prompt, 6)})[0]["ids"]);
}

TEST_P(KvBanks, APinnedBankIsNeverTheVictim) {
  OnFreshSide({GetParam(), Knobs(2)}, [&](const Ask& ask) {
    const json pinned = ask(InBank(kPsalm, 2, true));
    ask(InBank(kGenesis, 2));
    const json third = ask(InBank("Now these are the generations of the sons of Noah", 2, true));
    ASSERT_EQ(EventsOf(third, "store").size(), 1);
    EXPECT_NE(EventsOf(third, "store")[0]["tokens"], Live(pinned));
    try {
      ask(InBank("Thus saith the LORD of hosts, the God of Israel"));
      ADD_FAILURE() << "expected a refusal: all banks are pinned";
    } catch (const EngineError& error) {
      EXPECT_EQ(error.status(), PARITY_REFUSED);
      EXPECT_THAT(error.what(), HasSubstr("bank_available"));
    }
    // A warm continuation without the pin lets go of it.
    ask(InBank(kPsalm + pinned["text"].get<std::string>() + " Yea,"));
    const json fourth = ask(InBank("Thus saith the LORD of hosts, the God of Israel"));
    EXPECT_EQ(EventsOf(fourth, "store").size(), 1);
  });
}

// A prompt that shares a beginning with a bank's goes on from there in a bank of its own.
TEST_P(KvBanks, ACommonBeginningIsForkedOrCutBack) {
  const std::string& text = kGenesis;
  const std::string prompt = text.substr(0, text.find(" And God saw")) + " And it was so,";
  const json expected = Answers({GetParam()}, {InBank(prompt, 6)})[0];
  for (const int banks : {2, 1}) {
    OnFreshSide({GetParam(), Knobs(banks)}, [&](const Ask& ask) {
      const json first = ask(InBank(text));
      const json forked = ask(InBank(prompt, 6));
      EXPECT_GT(forked["usage"]["cached"], 20);
      EXPECT_EQ(forked["restored"]["from"], "memory");
      EXPECT_EQ(forked["ids"], expected["ids"]);
      EXPECT_EQ(EventsOf(forked, "store").size(), banks == 1 ? 1 : 0);
      if (banks == 1) return;
      // The source is as it was.
      const json again = ask(InBank(text + first["text"].get<std::string>() + " And"));
      EXPECT_EQ(again["usage"]["cached"], Live(first));
    });
  }
}

TEST_P(KvBanks, ARecordThatPartsFromThePromptIsUsedAsFarAsItGoes) {
  const std::string& text = kGenesis;
  Answers({GetParam(), Knobs(1)}, {InBank(text), Stop()});
  EXPECT_EQ(ReadBytes(folder_.Only())[5], 8);
  const std::string prompt = text.substr(0, text.find(" And God saw")) + " And it was so,";
  const json partial = Answers({GetParam(), Knobs(1)}, {InBank(prompt, 6)})[0];
  EXPECT_GT(partial["usage"]["cached"], 20);
  EXPECT_EQ(partial["restored"]["from"], "disk");
  EXPECT_EQ(partial["usage"]["prompt"],
            partial["usage"]["cached"].get<int>() + partial["usage"]["computed"].get<int>());
  EXPECT_EQ(partial["ids"], Answers({GetParam()}, {InBank(prompt, 6)})[0]["ids"]);
}

TEST_P(KvBanks, ShutdownAndCheckpointHaveTheirReasons) {
  Answers({GetParam(), Knobs(2)}, {InBank(kPsalm), Stop()});
  EXPECT_EQ(ReadBytes(folder_.Only())[5], 8);
  const Folder other;
  json kv = Knobs(2, true);
  kv["folder"] = other.path();
  // What is live is at its checkpoint: shutdown finds the record there.
  const std::vector<json> answers = Answers({GetParam(), kv}, {InBank(kPsalm), Stop()});
  EXPECT_EQ(EventsOf(answers[0], "store").at(0)["reason"], "bank-checkpoint");
  EXPECT_TRUE(EventsOf(answers[1], "store").empty());
  EXPECT_EQ(ReadBytes(other.Only())[5], 9);
}

// A bank's record has no logits: the serial lane may go on behind it, not at it.
TEST_P(KvBanks, TheSerialLaneTakesABanksRecordStrictlyOnly) {
  const json saved = Answers({GetParam(), Knobs(1)}, {InBank(kPsalm, 0), Stop()})[0];
  const auto serial = [&](const std::string& prompt) {
    return Answers({GetParam(), Knobs(1)}, {Complete({{"prompt", prompt}, {"max_tokens", 1}})})[0];
  };
  const json longer = serial(kPsalm + " Yea,");
  EXPECT_EQ(longer["usage"]["cached"], saved["usage"]["prompt"]);
  const json equal = serial(kPsalm);
  EXPECT_EQ(equal["usage"]["cached"], 0);
  EXPECT_EQ(EventsOf(equal, "refuse").at(0)["why"], "no_frontier_logits");
}

}  // namespace
}  // namespace parity
