// States of slots as the tiny engines save and load them, by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

const Tokens kPrompt = {1, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47};
constexpr std::int32_t kNext = 50;

// One rank of an engine, whose pages are handed out in an order of its own.
class Held {
 public:
  explicit Held(const TinyLibrary& library, const std::string& dtype = "f32", int first_page = 0,
                const json& kv = json::object())
      : config_(json{{"model", ModelDirectory()}, {"dtype", dtype}, {"kv", kv}}.dump()),
        first_page_(first_page) {
    parity_create_args args = {sizeof(parity_create_args)};
    args.rank_count = 1;
    args.device = -1;
    args.config = config_.c_str();
    rank_ = std::make_unique<Rank>(Api(library), args);
    const char* description = nullptr;
    EXPECT_EQ(Api(library).describe(config_.c_str(), &description), PARITY_OK);
    const json parsed = json::parse(description);
    for (const json& program : parsed["programs"]) {
      if (program["name"] == "prefill") ops_ = static_cast<std::uint32_t>(program["ops"].size());
    }
  }
  Rank& rank() { return *rank_; }

  std::vector<float> Step(std::uint32_t slot, std::uint64_t past, const Tokens& tokens) {
    Stage(slot, past, tokens);
    rank_->RunWhole("prefill", ops_);
    const parity_region logits = rank_->Region(PARITY_BUFFER, "logits");
    const auto* values = static_cast<const float*>(logits.data);
    const std::uint64_t all = logits.live_bytes / sizeof(float), row = all / tokens.size();
    return {values + all - row, values + all};
  }

  void Stage(std::uint32_t slot, std::uint64_t past, const Tokens& tokens) {
    std::vector<std::int32_t> positions, pages;
    for (std::uint64_t i = 0; i < tokens.size(); ++i) {
      positions.push_back(static_cast<std::int32_t>(past + i));
    }
    for (std::uint64_t page = 0; page * 16 < past + tokens.size(); ++page) {
      pages.push_back(first_page_ + static_cast<std::int32_t>(8 * page + slot));
    }
    const parity_sequence sequence = {sizeof(sequence), slot,         past,
                                      tokens.size(),    pages.data(), pages.size()};
    rank_->Stage({sizeof(parity_step), "prefill", "test", tokens.size(), tokens.data(),
                  positions.data(), 1, &sequence});
  }

 private:
  std::string config_;
  int first_page_;
  std::uint32_t ops_ = 0;
  std::unique_ptr<Rank> rank_;
};

class SavedStatesTest : public ::testing::TestWithParam<TinyLibrary> {
 protected:
  std::string Path(const std::string& name) const { return (folder_.path() / name).string(); }
  // The prompt, saved; and what comes behind it.
  std::vector<float> Save(const TinyLibrary& library, const std::string& path,
                          const std::string& dtype = "f32") {
    Held held(library, dtype);
    held.Step(0, 0, kPrompt);
    held.rank().SaveState(0, path);
    return held.Step(0, kPrompt.size(), {kNext});
  }
  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(Engines, SavedStatesTest, ::testing::Values(kPaged, kPorted, kFused),
                         [](const auto& info) { return std::string(info.param.engine); });

TEST_P(SavedStatesTest, GoOnInAnotherSlotAndOtherPages) {
  const std::vector<float> next = Save(GetParam(), Path("state"));
  Held held(GetParam(), "f32", 40);
  held.Step(5, 0, {1, 2, 3});
  EXPECT_EQ(held.rank().LoadState(5, Path("state")), kPrompt.size());
  EXPECT_EQ(held.Step(5, kPrompt.size(), {kNext}), next);
}

TEST_P(SavedStatesTest, AreTheOtherEnginesToo) {
  const TinyLibrary& other = GetParam().engine == std::string("paged") ? kPorted : kPaged;
  Save(GetParam(), Path("state"));
  Held held(other);
  EXPECT_EQ(held.rank().LoadState(0, Path("state")), kPrompt.size());
  held.rank().SaveState(0, Path("again"));
  EXPECT_EQ(ReadBytes(Path("state")), ReadBytes(Path("again")));
  // Once it lies in pages it is saved from there.
  held.Stage(0, kPrompt.size(), {kNext});
  held.rank().SaveState(0, Path("from_pages"));
  EXPECT_EQ(ReadBytes(Path("state")), ReadBytes(Path("from_pages")));
}

// Whoever begins a slot anew has no use for what was loaded.
TEST_P(SavedStatesTest, AreDroppedWhereTheSlotIsBegunAnewOrReset) {
  Held fresh(GetParam());
  const std::vector<float> cold = fresh.Step(0, 0, kPrompt);
  Save(GetParam(), Path("state"));
  Held held(GetParam());
  held.rank().LoadState(0, Path("state"));
  EXPECT_EQ(held.Step(0, 0, kPrompt), cold);
  held.rank().LoadState(0, Path("state"));
  held.rank().Reset();
  EXPECT_EQ(held.Step(0, 0, kPrompt), cold);
  EXPECT_THROW(held.rank().SaveState(1, Path("empty")), EngineError);
}

TEST_P(SavedStatesTest, AreGoneOnBehindAllTheirTokens) {
  Save(GetParam(), Path("state"));
  Held held(GetParam());
  held.rank().LoadState(0, Path("state"));
  EXPECT_THROW(held.Stage(0, kPrompt.size() - 1, {kNext}), EngineError);
}

std::string GuardOf(Rank& rank, const std::string& path) {
  try {
    rank.LoadState(0, path);
  } catch (const RefusedError& refused) {
    return refused.refusal().guard;
  }
  return "none";
}

TEST_P(SavedStatesTest, ThatAreNotTheEnginesAreRefusedAndItGoesOn) {
  Save(GetParam(), Path("bf16"), "bf16");
  Save(GetParam(), Path("state"));
  const std::string bytes = ReadBytes(Path("state"));
  WriteBytes(Path("cut"), bytes.substr(0, bytes.size() - 1));
  WriteBytes(Path("long"), bytes + "x");
  WriteBytes(Path("empty"), "");
  fs::create_directory(Path("folder"));
  Held held(GetParam());
  const std::vector<float> cold = held.Step(0, 0, kPrompt);
  for (const auto& [name, guard] : {std::pair{"bf16", "other_kv_type"},
                                    {"cut", "truncated_payload"},
                                    {"long", "trailing_bytes"},
                                    {"empty", "truncated_payload"},
                                    {"folder", "no_record"},
                                    {"nothing", "no_record"}}) {
    EXPECT_EQ(GuardOf(held.rank(), Path(name)), guard) << name;
    EXPECT_EQ(held.Step(0, 0, kPrompt), cold) << name;
  }
  Held small(GetParam(), "f32", 0, {{"context", 128}});
  EXPECT_EQ(GuardOf(small.rank(), Path("state")), "exceeds_context");
}

TEST_P(SavedStatesTest, ThatCannotBeWrittenAreRefused) {
  Held held(GetParam());
  held.Step(0, 0, kPrompt);
  try {
    held.rank().SaveState(0, Path("no/folder"));
    ADD_FAILURE();
  } catch (const RefusedError& refused) {
    EXPECT_EQ(refused.refusal().guard, "write_failed");
  }
}

}  // namespace
}  // namespace parity
