// The harness as the server of an engine that saves and loads states: what it runs, keeps and
// tells.
#include "suites/kv/state_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "suites/kv/store_folder.h"

namespace parity::kv {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Tokens = std::vector<std::int32_t>;

constexpr std::int32_t kVocabulary = 8, kEnd = 7;

// What chooses after these tokens.
std::int32_t NextOf(const Tokens& tokens) {
  std::int32_t sum = 0;
  for (const std::int32_t token : tokens) sum += token;
  return (sum + 3) % kVocabulary;
}

// An engine in a few lines: a slot holds tokens, a file has them as text, letters are ids.
class FakeEngine : public Side {
 public:
  std::vector<Results> Run(const std::vector<Script>& scripts) override {
    std::vector<Results> results(scripts.size());
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      for (const Instruction& instruction : scripts[rank].instructions()) {
        results[rank].push_back(rank == 0 ? Carry(instruction) : Result());
      }
    }
    return results;
  }
  bool alive() const override { return true; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override { return "fake"; }
  std::vector<std::string> MappedObjects() const override { return {}; }
  std::string OutputTail() const override { return ""; }

  bool offers = true, has_text = true;
  std::uint64_t hides = 0;           // tokens that a load does not tell
  std::string guard = "broken";      // of what refuses a file
  std::vector<std::uint64_t> steps;  // rows of each

 private:
  Result Carry(const Instruction& instruction) {
    Result result;
    if (instruction.what == parity::Do::kStage) step_ = *instruction.step;
    if (instruction.what == parity::Do::kRun) Compute();
    if (instruction.what == parity::Do::kReset) slots_.clear();
    if (instruction.what == parity::Do::kBytes) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(logits_.data());
      result.bytes.assign(bytes, bytes + logits_.size() * sizeof(float));
    }
    if (instruction.what == parity::Do::kAsk) result.answer = Answer(*instruction.question);
    if (instruction.what == parity::Do::kCounters) result.words = R"({"tokens": 3})";
    if (instruction.what == parity::Do::kSaveState) result.state = Save(instruction);
    if (instruction.what == parity::Do::kLoadState) result.state = Load(instruction);
    return result;
  }

  void Compute() {
    Tokens& held = slots_[step_.sequences.at(0).slot];
    ASSERT_GE(held.size(), step_.sequences.at(0).past);
    held.resize(step_.sequences.at(0).past);
    steps.push_back(step_.tokens.size());
    logits_.clear();
    for (const std::int32_t token : step_.tokens) {
      held.push_back(token);
      std::vector<float> row(kVocabulary, 0.5f);
      row.at(static_cast<std::size_t>(NextOf(held))) = 2;
      row.at(kEnd - 1) += 0.25f;  // second best, and never the best by itself
      logits_.insert(logits_.end(), row.begin(), row.end());
    }
  }

  TokenAnswer Answer(const TokenQuestion& question) const {
    TokenAnswer answer;
    answer.offered = has_text;
    if (!has_text) return answer;
    if (question.call == TokenQuestion::Call::kSpecialIds)
      return {true, "", {0, kEnd}, {"bos", "eos"}};
    if (question.call == TokenQuestion::Call::kDetokenize) {
      answer.texts.emplace_back();
      for (const std::int32_t id : question.ids) answer.texts[0] += static_cast<char>('a' + id);
      return answer;
    }
    if ((question.flags & PARITY_ADD_SPECIAL) != 0) answer.ids.push_back(0);
    for (const char c : question.text) answer.ids.push_back(c - 'a');
    return answer;
  }

  StateAnswer Save(const Instruction& instruction) {
    if (!offers) return {false, false, {}, 0};
    std::ofstream out(instruction.path);
    for (const std::int32_t token : slots_[instruction.slot]) out << token << ' ';
    return {};
  }

  StateAnswer Load(const Instruction& instruction) {
    if (!offers) return {false, false, {}, 0};
    std::ifstream in(instruction.path);
    Tokens tokens{std::istream_iterator<std::int32_t>(in), {}};
    slots_[instruction.slot].clear();
    if (tokens.empty())
      return {true, true, {guard, "there are tokens", "{}", "load_state: none"}, 0};
    const std::uint64_t told = tokens.size() - hides;
    slots_[instruction.slot] = std::move(tokens);
    return {true, false, {}, told};
  }

  Step step_;
  std::map<std::uint32_t, Tokens> slots_;
  std::vector<float> logits_;
};

StateDriving Driving() {
  StateDriving driving;
  driving.chunk = 3;
  Description& description = driving.description;
  description.engine = "fake";
  description.context = 24;
  description.var_max = {{"rows", 4}, {"seqs", 2}};
  Tensor logits;
  logits.name = "logits";
  logits.dtype = DType::kF32;
  logits.role = Role::kLogits;
  logits.shape = {{"rows", ""}, {"8", ""}};
  description.tensors["logits"] = logits;
  description.programs = {{"prefill", false, {{"all", "all", {}, {"logits"}, {}}}, 0},
                          {"decode", false, {{"all", "all", {}, {"logits"}, {}}}, 0}};
  return driving;
}

class StateServerTest : public ::testing::Test {
 protected:
  // Another process over the same folder.
  StateServer& Start(StateDriving driving = Driving()) {
    auto engine = std::make_unique<FakeEngine>();
    engine_ = engine.get();
    server_ = std::make_unique<StateServer>(std::move(engine), std::move(driving), folder_.path());
    return *server_;
  }
  json Ask(const json& request) { return json::parse(server_->Ask(request)); }
  std::size_t Files() const { return StateOf(folder_.path()).size(); }

  TemporaryFolder folder_{"state_server_test"};
  FakeEngine* engine_ = nullptr;
  std::unique_ptr<StateServer> server_;
};

TEST(StateKey, IsOfTheTokensAlone) {
  EXPECT_EQ(StateKey({1, 2, 258}), "4abf56585bb9c3ee7a0dbc7868fa25fbdbd19958");
  EXPECT_NE(StateKey({1, 2}), StateKey({2, 1}));
}

TEST_F(StateServerTest, ComputesWhatNothingHoldsInChunks) {
  Start();
  const json answer = Ask({{"prompt", {1, 2, 3, 4, 5}}, {"max_tokens", 2}, {"ignore_end", true}});
  EXPECT_EQ(answer["usage"], json({{"prompt", 5}, {"cached", 0}, {"computed", 5}, {"output", 2}}));
  EXPECT_EQ(answer["restored"], nullptr);
  EXPECT_EQ(answer["events"], json::array());
  EXPECT_EQ(answer["ran"], json({{"ops", 4}, {"rows", 7}}));
  EXPECT_THAT(engine_->steps, ElementsAre(3, 2, 1, 1));
  // 1 + 2 + 3 + 4 + 5 + 3 = 18, and 18 + 2.
  EXPECT_EQ(answer["ids"], json({2, 4}));
  EXPECT_EQ(answer["text"], "ce");
  EXPECT_EQ(answer["tokens"], json({1, 2, 3, 4, 5, 2, 4}));
  EXPECT_EQ(answer["finish"], "length");
  EXPECT_EQ(Files(), 0u);
}

TEST_F(StateServerTest, TextAndIdsMakeUpAPrompt) {
  Start();
  const json answer = Ask({{"prompt", {"bc", {4, 5}, 6, "b"}}, {"max_tokens", 0}});
  EXPECT_EQ(answer["tokens"], json({0, 1, 2, 4, 5, 6, 1}));
  EXPECT_EQ(Ask({{"prompt", "d"}, {"max_tokens", 0}})["tokens"], json({0, 3}));
}

TEST_F(StateServerTest, AnotherProcessGoesOnBehindWhatWasStored) {
  Start();
  const json saved = Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 1}, {"store", true}});
  const std::string key = StateKey({1, 2, 3, 1});
  EXPECT_EQ(saved["events"],
            json({{{"event", "store"}, {"reason", "save"}, {"tokens", 4}, {"key", key}}}));
  EXPECT_EQ(Files(), 1u);
  Start();
  const json answer = Ask({{"prompt", {saved["tokens"], 5, 5}}, {"slot", 1}, {"max_tokens", 3}});
  EXPECT_EQ(answer["usage"]["cached"], 4);
  EXPECT_EQ(answer["usage"]["computed"], 2);
  EXPECT_EQ(answer["restored"], json({{"key", key}, {"tokens", 4}, {"from", "disk"}}));
  EXPECT_EQ(answer["events"],
            json({{{"event", "hit"}, {"reason", "load"}, {"tokens", 4}, {"key", key}}}));
  EXPECT_EQ(engine_->steps.front(), 2u);
  EXPECT_EQ(server_->Counters(), json({{"tokens", 3}}));
}

TEST_F(StateServerTest, OfSeveralTheLongestIsTaken) {
  Start();
  Ask({{"prompt", {1, 2}}, {"max_tokens", 0}, {"store", true}});
  Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}, {"store", true}});
  Ask({{"prompt", {1, 4, 3}}, {"max_tokens", 0}, {"store", true}});
  Start();
  EXPECT_EQ(Ask({{"prompt", {1, 2, 3, 4}}, {"max_tokens", 0}})["usage"]["cached"], 3);
  // All of the prompt is no beginning of it: its logits are in no record.
  EXPECT_EQ(Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}})["usage"]["cached"], 2);
}

TEST_F(StateServerTest, WhatASlotHoldsIsGoneOnWithWithoutARecord) {
  Start();
  Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}});
  const json answer = Ask({{"prompt", {1, 2, 3, 4}}, {"max_tokens", 0}});
  EXPECT_EQ(answer["restored"],
            json({{"key", StateKey({1, 2, 3})}, {"tokens", 3}, {"from", "memory"}}));
  EXPECT_EQ(Ask({{"prompt", {1, 2, 3, 4}}, {"slot", 1}, {"max_tokens", 0}})["usage"]["cached"], 0);
}

// Steps of a sequential engine follow one another: a used slot is begun anew with all of them.
TEST_F(StateServerTest, ASequentialEngineIsResetWhereASlotIsBegunAnew) {
  StateDriving driving = Driving();
  driving.description.sequential = true;
  Start(driving);
  Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}});
  Ask({{"prompt", {4, 5}}, {"slot", 1}, {"max_tokens", 0}});
  Ask({{"prompt", {5, 5}}, {"max_tokens", 0}});
  EXPECT_EQ(Ask({{"prompt", {4, 5, 6}}, {"slot", 1}, {"max_tokens", 0}})["usage"]["cached"], 0);
  EXPECT_EQ(Ask({{"prompt", {5, 5, 6}}, {"max_tokens", 0}})["usage"]["cached"], 2);
}

TEST_F(StateServerTest, ARefusalIsToldAndTheAnswerIsTheColdOne) {
  Start();
  Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}, {"store", true}});
  const std::string record = folder_.Path(StateKey({1, 2, 3}) + kStateSuffix);
  std::ofstream(record) << "spoilt";
  Start();
  const json request = {{"prompt", {1, 2, 3, 4}}, {"max_tokens", 3}};
  const json refused = Ask(request);
  const json event = refused["events"].at(0);
  EXPECT_EQ(event["event"], "refuse");
  EXPECT_EQ(event["why"], "broken");
  EXPECT_EQ(event["words"], "load_state: none");
  EXPECT_EQ(refused["restored"], nullptr);
  EXPECT_EQ(refused["usage"]["cached"], 0);
  std::filesystem::remove(record);
  Start();
  EXPECT_EQ(Ask(request)["ids"], refused["ids"]);
}

TEST_F(StateServerTest, AGuardWithoutANameIsNotHeldToOne) {
  std::ofstream(folder_.Path(StateKey({1}) + kStateSuffix)) << "spoilt";
  Start();
  engine_->guard = "";
  const json answer = Ask({{"prompt", {1, 2}}, {"max_tokens", 1}});
  EXPECT_EQ(answer["events"].at(0)["why"], "not named");
  EXPECT_EQ(answer["untold"], json({"route", "refusal names"}));
}

// What an engine says of a load is held against what was saved.
TEST_F(StateServerTest, AnotherCountThanTheRecordsIsNoLoad) {
  Start();
  Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 0}, {"store", true}});
  Start();
  engine_->hides = 1;
  const json answer = Ask({{"prompt", {1, 2, 3, 4}}, {"max_tokens", 1}});
  EXPECT_EQ(answer["events"].at(0)["why"], "token_count");
  EXPECT_THAT(answer["events"].at(0)["words"].get<std::string>(),
              HasSubstr("load_state tells 2 tokens of a record that has 3"));
  EXPECT_EQ(answer["usage"]["cached"], 0);
}

// 1 + 3 + 3 = 7: the model ends here.
TEST_F(StateServerTest, AnAnswerEndsWhereTheModelEndsIt) {
  Start();
  const json ended = Ask({{"prompt", {1, 3}}, {"max_tokens", 4}});
  EXPECT_EQ(ended["finish"], "stop");
  EXPECT_EQ(ended["ids"], json::array());
  const json more = Ask({{"prompt", {1, 3}}, {"max_tokens", 1}, {"ignore_end", true}});
  EXPECT_EQ(more["finish"], "length");
  EXPECT_EQ(more["ids"], json({kEnd - 1}));
}

TEST_F(StateServerTest, AnAnswerEndsWhereTheSlotIsFull) {
  Start();
  const json answer = Ask({{"prompt", {1, 2, 3}}, {"max_tokens", 100}, {"ignore_end", true}});
  EXPECT_EQ(answer["tokens"].size(), 23u);
  EXPECT_EQ(answer["finish"], "length");
}

TEST_F(StateServerTest, RowsAreThoseThatIdsWereChosenFrom) {
  Start();
  const TemporaryFolder outside("state_server_logits");
  const json answer =
      Ask({{"prompt", {1, 2}}, {"max_tokens", 3}, {"logits", outside.Path("rows")}});
  std::ifstream in(outside.Path("rows"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_EQ(bytes.size(), answer["ids"].size() * kVocabulary * sizeof(float));
  std::vector<float> rows(bytes.size() / sizeof(float));
  std::memcpy(rows.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < answer["ids"].size(); ++i) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * kVocabulary);
    EXPECT_EQ(row[answer["ids"][i].get<std::ptrdiff_t>()],
              *std::max_element(row, row + kVocabulary));
  }
}

TEST_F(StateServerTest, AnEngineWithoutTextTakesIds) {
  Start();
  engine_->has_text = false;
  EXPECT_EQ(Ask({{"prompt", {1, 2}}, {"max_tokens", 1}})["text"], "");
  try {
    Ask({{"prompt", "bc"}});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a prompt of ids"));
  }
}

TEST_F(StateServerTest, AnEngineWithoutStatesOffersNothing) {
  Start();
  EXPECT_NO_THROW(server_->ExpectStates());
  engine_->offers = false;
  EXPECT_THROW(server_->ExpectStates(), NotOffered);
  EXPECT_THROW(Ask({{"prompt", {1, 2}}, {"store", true}}), NotOffered);
}

std::string WhyNot(StateServer& server, const json& request) {
  try {
    server.Ask(request);
  } catch (const NotAskable& reason) {
    return std::string("not askable: ") + reason.what();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST_F(StateServerTest, SaysWhatItCannotBeAsked) {
  StateServer& server = Start();
  EXPECT_THAT(WhyNot(server, {{"do", "policy"}}), HasSubstr("not askable: "));
  EXPECT_THAT(WhyNot(server, {{"prompt", "b"}, {"surface", "chat"}}),
              HasSubstr("not askable: an engine that is served from saved states knows no "
                        "\"surface\""));
  EXPECT_THAT(WhyNot(server, {{"prompt", json::array()}}), HasSubstr("at least one token"));
  EXPECT_THAT(WhyNot(server, {{"prompt", {-1}}}),
              HasSubstr("request: prompt: got -1, expected a whole number"));
  EXPECT_THAT(WhyNot(server, {{"prompt", 7}}), HasSubstr("expected text, or a list"));
  EXPECT_THAT(WhyNot(server, {{"prompt", {1}}, {"max_tokens", "x"}}), HasSubstr("max_tokens"));
  EXPECT_THAT(WhyNot(server, {{"prompt", {1}}, {"store", 1}}), HasSubstr("true or false"));
  EXPECT_THAT(WhyNot(server, {{"prompt", {1}}, {"slot", 2}}),
              HasSubstr("slot 2, engine 'fake' has 2"));
  EXPECT_THAT(WhyNot(server, {{"prompt", Tokens(24, 1)}}),
              HasSubstr("a prompt of 24 tokens, expected fewer than the 24 of a slot"));
  EXPECT_EQ(json::parse(server.Ask({{"do", "stop"}}))["events"], json::array());
}

TEST_F(StateServerTest, OneBufferOfLogitsIsNeeded) {
  StateDriving none = Driving();
  none.description.tensors.clear();
  EXPECT_THROW(Start(none), std::runtime_error);
  StateDriving in_parts = Driving();
  in_parts.ranks = 2;
  in_parts.description.tensors["logits"].shape[1] = {"8", "ranks"};
  EXPECT_THROW(Start(in_parts), std::runtime_error);
  StateDriving without_programs = Driving();
  without_programs.description.programs.clear();
  EXPECT_THROW(Start(without_programs), std::runtime_error);
}

// A paged engine has so many pages for a slot.
TEST_F(StateServerTest, ASlotHasRoomForItsPages) {
  StateDriving paged = Driving();
  paged.description.paging = {4, 6};
  EXPECT_THAT(WhyNot(Start(paged), {{"prompt", Tokens(12, 1)}}), HasSubstr("the 12 of a slot"));
}

}  // namespace
}  // namespace parity::kv
