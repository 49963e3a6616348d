#include "suites/wire/machines/run_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::wire {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

StreamEvent Data(const json& data) { return {0, "", false, data}; }
const StreamEvent kDone = {0, "", true, nullptr};

StreamEvent Chunk(const json& delta, const json& finish = nullptr, int index = 0) {
  return Data({{"choices", {{{"index", index}, {"delta", delta}, {"finish_reason", finish}}}}});
}

StreamEvent Typed(const std::string& type) { return Data({{"type", type}}); }

std::vector<std::string> RulesOf(Surface surface, const std::vector<StreamEvent>& events,
                                 bool ended = true) {
  std::vector<std::string> rules;
  for (const Violation& violation : RunMachine(surface, events, ended).violations) {
    rules.push_back(violation.rule + "@" + std::to_string(violation.event));
  }
  return rules;
}

const json kRole = {{"role", "assistant"}};
const json kText = {{"content", "a"}};

TEST(ChatMachine, ChoicesInterleave) {
  EXPECT_THAT(
      RulesOf(Surface::kChat,
              {Chunk(kRole), Chunk(kRole, nullptr, 1), Chunk(kText, nullptr, 1), Chunk(kText),
               Chunk(json::object(), "stop", 1), Chunk(json::object(), "length"), kDone}),
      IsEmpty());
}

TEST(ChatMachine, OneChunkMayBeSeveralSteps) {
  const json all = {{"role", "assistant"}, {"reasoning_content", "r"}, {"content", "c"}};
  const MachineRun run = RunMachine(Surface::kChat, {Chunk(all, "stop"), kDone}, true);
  EXPECT_THAT(run.violations, IsEmpty());
  EXPECT_THAT(run.states, ElementsAre("chat.ended", "chat.finished", "chat.reasoning", "chat.role",
                                      "chat.text", "chunks.done", "chunks.ended", "chunks.open"));
}

TEST(ChatMachine, AnErrorEndsIt) {
  const StreamEvent error = Data({{"error", {{"message", "m"}}}});
  EXPECT_THAT(RulesOf(Surface::kChat, {Chunk(kRole), error}), IsEmpty());
  EXPECT_THAT(RulesOf(Surface::kChat, {Chunk(kRole), error, kDone}), IsEmpty());
  EXPECT_THAT(RulesOf(Surface::kChat, {Chunk(kRole), error, Chunk(kText)}), ElementsAre("L-08@2"));
}

// Where the client left, the end is not the server's.
TEST(ChatMachine, AnEndThatIsNotTheServersIsNotJudged) {
  EXPECT_THAT(RulesOf(Surface::kChat, {Chunk(kRole), Chunk(kText)}, false), IsEmpty());
  EXPECT_THAT(RulesOf(Surface::kChat, {Chunk(kRole), Chunk(kText)}), ElementsAre("S-10@2"));
}

TEST(CompletionsMachine, NeedsNoRole) {
  const auto chunk = [](const std::string& text, const json& finish) {
    return Data({{"choices", {{{"index", 0}, {"text", text}, {"finish_reason", finish}}}}});
  };
  EXPECT_THAT(RulesOf(Surface::kCompletions, {chunk("a", nullptr), chunk("", "stop"), kDone}),
              IsEmpty());
  EXPECT_THAT(RulesOf(Surface::kCompletions, {chunk("a", "stop"), chunk("b", nullptr), kDone}),
              ElementsAre("C-03@1"));
}

TEST(MessagesMachine, PingsComeAnywhereAfterTheStart) {
  EXPECT_THAT(RulesOf(Surface::kMessages,
                      {Typed("message_start"), Typed("ping"), Typed("content_block_start"),
                       Typed("ping"), Typed("content_block_delta"), Typed("content_block_stop"),
                       Typed("message_delta"), Typed("ping"), Typed("message_stop")}),
              IsEmpty());
  EXPECT_THAT(RulesOf(Surface::kMessages, {Typed("ping")}), ElementsAre("W-19@0"));
}

TEST(ResponsesMachine, UnknownFamiliesArePassedOver) {
  EXPECT_THAT(RulesOf(Surface::kResponses,
                      {Typed("response.created"), Typed("response.web_search_call.searching"),
                       Typed("response.in_progress"), Typed("response.completed")}),
              IsEmpty());
}

TEST(ResponsesMachine, AFailureMayComeAtAnyTime) {
  std::vector<StreamEvent> events = {
      Typed("response.created"), Typed("response.in_progress"), Typed("response.output_item.added"),
      Typed("response.content_part.added"), Typed("response.output_text.delta")};
  for (std::size_t size = 1; size <= events.size(); ++size) {
    std::vector<StreamEvent> failed(events.begin(), events.begin() + static_cast<long>(size));
    failed.push_back(Typed("response.failed"));
    EXPECT_THAT(RulesOf(Surface::kResponses, failed), IsEmpty()) << size;
    failed.back() = Typed("error");
    EXPECT_THAT(RulesOf(Surface::kResponses, failed), IsEmpty()) << size;
  }
  EXPECT_THAT(RulesOf(Surface::kResponses, {Typed("error"), Typed("response.completed")}),
              ElementsAre("L-08@1"));
}

TEST(ResponsesMachine, ASecondItemWaitsForTheFirst) {
  EXPECT_THAT(
      RulesOf(Surface::kResponses, {Typed("response.created"), Typed("response.output_item.added"),
                                    Typed("response.output_item.added")}),
      ElementsAre("R-04@2"));
}

}  // namespace
}  // namespace parity::wire
