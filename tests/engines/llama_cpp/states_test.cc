// Saved sequences, and text, over an installed llama.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/engines/llama_cpp/llama_driver.h"
#include "tests/suite/driver/scratch_folder.h"

namespace parity {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

const Tokens kPrompt = {0, 975, 287, 271, 88, 386, 294, 351, 13, 269};
const Tokens kOther = {0, 496, 458, 698};

bool Same(const Values& a, const Values& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class LlamaStates : public ::testing::Test {
 protected:
  // The prompt in slot 0, saved; what comes next.
  Values Save(const std::string& path, const json& over = json::object()) {
    LlamaRank rank(over);
    rank.Step("prefill", {{0, kPrompt}});
    EXPECT_EQ(rank.Save(0, path), PARITY_OK) << rank.Error();
    return rank.Step("decode", {{0, {7}}});
  }

  testing::ScratchFolder folder_;
};

TEST_F(LlamaStates, GoOnInAnotherRankAndAnotherSlot) {
  const std::string path = folder_.Path("state");
  const Values next = Save(path);
  LlamaRank rank;
  for (const std::uint32_t slot : {0u, 2u}) {
    rank.Reset();
    ASSERT_EQ(rank.Load(slot, path), PARITY_OK) << rank.Error();
    EXPECT_TRUE(Same(rank.Step("decode", {{slot, {7}}}), next)) << slot;
  }
  const std::uint64_t computed = rank.Counters()["tokens"];
  EXPECT_EQ(computed, 2u);
}

TEST_F(LlamaStates, AreSavedAsTheyWereLoaded) {
  const std::string path = folder_.Path("state"), again = folder_.Path("again");
  Save(path);
  LlamaRank rank;
  ASSERT_EQ(rank.Load(0, path), PARITY_OK);
  ASSERT_EQ(rank.Save(0, again), PARITY_OK);
  const auto bytes = [](const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(bytes(path), bytes(again));
}

// What llama.cpp declines, it says why; the slot is then empty and the rank goes on.
void ExpectRefused(LlamaRank& rank, const std::string& path,
                   const ::testing::Matcher<std::string>& words) {
  const Values before = rank.Step("prefill", {{0, kOther}});
  EXPECT_EQ(rank.Load(0, path), PARITY_REFUSED);
  EXPECT_THAT(rank.Error(), AllOf(HasSubstr("cannot load"), words));
  EXPECT_THAT(rank.Refusal(), HasSubstr("load_state: "));
  EXPECT_TRUE(Same(rank.Step("prefill", {{0, kOther}}), before));
}

TEST_F(LlamaStates, OfAnotherFlashAttentionAreRefused) {
  const std::string path = folder_.Path("state");
  for (const char* saved : {"off", "on"}) {
    Save(path, {{"flash_attention", saved}});
    LlamaRank rank(json{{"flash_attention", saved == std::string("on") ? "off" : "on"}});
    ExpectRefused(rank, path, HasSubstr("transposition"));
  }
}

TEST_F(LlamaStates, OfAnotherKeyTypeAreRefused) {
  const std::string path = folder_.Path("state");
  Save(path, {{"type_k", "q8_0"}});
  LlamaRank rank;
  // Later versions rotate keys of some types, and find that first.
  ExpectRefused(rank, path,
                AnyOf(HasSubstr("mismatched key type"), HasSubstr("incompatible key rotation")));
}

TEST_F(LlamaStates, ThatAreNoneAreRefused) {
  const std::string path = folder_.Path("state");
  Save(path);
  LlamaRank rank;
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_EQ(rank.Load(0, path), PARITY_REFUSED);
  folder_.Write("text", "no state");
  EXPECT_EQ(rank.Load(0, folder_.Path("text")), PARITY_REFUSED);
  EXPECT_EQ(rank.Load(0, folder_.Path("nothing")), PARITY_REFUSED);
  EXPECT_EQ(rank.Load(9, path), PARITY_INVALID);
}

TEST_F(LlamaStates, WaitForTheStagedStepsEnd) {
  LlamaRank rank;
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  EXPECT_EQ(rank.Save(0, folder_.Path("state")), PARITY_INVALID);
  EXPECT_EQ(rank.Load(0, folder_.Path("state")), PARITY_INVALID);
}

class LlamaText : public ::testing::Test {
 protected:
  Tokens Encode(const std::string& text, std::uint32_t flags) {
    const std::int32_t* ids = nullptr;
    std::uint64_t count = 0;
    EXPECT_EQ(rank_.api().tokenize(rank_.get(), text.data(), text.size(), flags, &ids, &count),
              PARITY_OK)
        << rank_.Error();
    return {ids, ids + count};
  }

  std::string Decode(const Tokens& ids, std::uint32_t flags) {
    const char* text = nullptr;
    std::uint64_t bytes = 0;
    EXPECT_EQ(rank_.api().detokenize(rank_.get(), ids.data(), ids.size(), flags, &text, &bytes),
              PARITY_OK)
        << rank_.Error();
    return {text, bytes};
  }

  LlamaRank rank_;
};

TEST_F(LlamaText, IsTheModelsOwn) {
  std::ifstream prompts(PARITY_SOURCE_DIR "/manifests/tiny/model/prompts.jsonl");
  std::string line;
  int compared = 0;
  while (std::getline(prompts, line)) {
    const json prompt = json::parse(line);
    const auto ids = prompt["tokens"].get<Tokens>();
    // Prompts of several verses have the token that begins each among them.
    if (std::count(ids.begin(), ids.end(), 0) != 1) continue;
    EXPECT_EQ(Encode(prompt["text"], PARITY_ADD_SPECIAL), ids) << prompt["id"];
    EXPECT_EQ(Decode(ids, 0), prompt["text"].get<std::string>()) << prompt["id"];
    ++compared;
  }
  EXPECT_GT(compared, 1);
}

TEST_F(LlamaText, StreamsWholeCharacters) {
  const std::string text = "na\u00efve \u65e5\u672c \U0001F30D";
  const Tokens ids = Encode(text, 0);
  std::string streamed;
  for (const std::int32_t id : ids) {
    const std::string added = Decode({id}, PARITY_STREAM);
    streamed += added;
    EXPECT_NO_THROW((void)json(added).dump()) << "no UTF-8";
  }
  streamed += Decode({}, PARITY_STREAM);
  EXPECT_EQ(streamed, text);
  EXPECT_EQ(Decode(ids, 0), text);
}

TEST_F(LlamaText, ShowsSpecialTokensWhereItIsAskedTo) {
  const Tokens ids = Encode("And", PARITY_ADD_SPECIAL);
  EXPECT_EQ(Decode(ids, 0), "And");
  EXPECT_GT(Decode(ids, PARITY_SHOW_SPECIAL).size(), 3u);
  const char* special = nullptr;
  ASSERT_EQ(rank_.api().special_ids(rank_.get(), &special), PARITY_OK);
  EXPECT_EQ(json::parse(special)["bos"], ids[0]);
}

TEST_F(LlamaText, RefusesIdsThatAreNone) {
  const std::int32_t id = 1 << 20;
  const char* text = nullptr;
  std::uint64_t bytes = 0;
  EXPECT_EQ(rank_.api().detokenize(rank_.get(), &id, 1, 0, &text, &bytes), PARITY_INVALID);
  EXPECT_THAT(rank_.Error(), HasSubstr("expected 0 to 1023"));
}

}  // namespace
}  // namespace parity
