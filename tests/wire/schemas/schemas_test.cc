#include "suites/wire/schemas/schemas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/rules/view.h"
#include "suites/wire/transcript/read_transcript.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(SchemaName, ByTheTypeFirst) {
  EXPECT_EQ(SchemaNameOf(Surface::kChat, true, {{"choices", json::array()}}), "chat.chunk");
  EXPECT_EQ(SchemaNameOf(Surface::kChat, true, {{"error", {{"message", "m"}}}}), "error.openai");
  EXPECT_EQ(SchemaNameOf(Surface::kMessages, true, {{"type", "ping"}}), "messages.ping");
  EXPECT_EQ(
      SchemaNameOf(Surface::kMessages, false, {{"type", "error"}, {"error", {{"type", "x"}}}}),
      "error.messages");
  EXPECT_EQ(SchemaNameOf(Surface::kResponses, true, {{"type", "response.failed"}}),
            "responses.response.failed");
  EXPECT_EQ(SchemaNameOf(Surface::kModels, false, {{"data", json::array()}}), "models");
  EXPECT_EQ(SchemaNameOf(Surface::kModels, false, {{"id", "m"}}), "model");
  EXPECT_EQ(SchemaNameOf(Surface::kMetrics, false, json::object()), "");
  EXPECT_EQ(SchemaNameOf(Surface::kChat, false, nullptr), "");
}

// One value of each schema is broken in one place, which its error names.
TEST(CoreSchemas, RefuseWhatClientsCannotRead) {
  const struct {
    const char *name, *value, *pointer;
  } rows[] = {
      {"chat", R"({"id": 1, "object": "chat.completion", "created": 1, "model": "m", "choices":
          [{"index": 0, "message": {"role": "assistant", "content": "x"},
            "finish_reason": "stop"}]})",
       "/id"},
      {"chat", R"({"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices":
          [{"index": 0, "message": {"role": "assistant", "content": "x"},
            "finish_reason": "abort"}]})",
       "/choices/0/finish_reason"},
      {"chat.chunk", R"({"id": "i", "object": "o", "created": 1, "model": "m", "choices":
          [{"index": 0, "delta": {"content": 3}, "finish_reason": null}]})",
       "/choices/0/delta/content"},
      {"completions", R"({"id": "i", "object": "text_completion", "created": 1, "model": "m",
          "choices": [{"index": 0, "text": null, "finish_reason": "stop"}]})",
       "/choices/0/text"},
      {"messages", R"({"id": "i", "type": "message", "role": "assistant", "model": "m",
          "content": [{"type": "tool_use", "id": "c", "name": "n", "input": "{}"}],
          "usage": {"input_tokens": 1, "output_tokens": 1}})",
       "/content/0/input"},
      {"messages.message_start", R"({"message": {"id": "i", "type": "message",
          "role": "assistant", "model": "m", "content": [{}], "stop_reason": null,
          "stop_sequence": null}})",
       "/message/content"},
      {"responses", R"({"id": "i", "object": "response", "created_at": 1, "model": "m",
          "output": [], "status": "done"})",
       "/status"},
      {"responses.response.completed", R"({"response": {"id": "i", "object": "response",
          "created_at": 1, "model": "m", "output": [], "status": "incomplete"}})",
       "/response/status"},
      {"model", R"({"id": "m", "object": "model", "created": "now", "owned_by": "o"})", "/created"},
      {"error.messages", R"({"type": "error", "error": {"type": "odd", "message": "m"}})",
       "/error/type"},
      {"error.openai", R"({"error": {"type": "t", "message": null}})", "/error/message"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<std::string> pointers;
    for (const SchemaError& error : Validate(SchemaSet::kCore, row.name, json::parse(row.value))) {
      pointers.push_back(error.pointer);
    }
    EXPECT_THAT(pointers, Contains(row.pointer));
  }
}

TEST(CoreSchemas, UnknownKeysPass) {
  const json model = json::parse(
      R"({"id": "m", "object": "model", "created": 1, "owned_by": "o", "context_length": 4096})");
  EXPECT_THAT(Validate(SchemaSet::kCore, "model", model), IsEmpty());
}

// Every schema can be built, and refuses what is no object at all.
TEST(Schemas, EachCanBeUsed) {
  for (const SchemaSet set : {SchemaSet::kCore, SchemaSet::kStrict}) {
    EXPECT_THAT(SchemaNames(set), Not(IsEmpty()));
    for (const std::string& name : SchemaNames(set)) {
      SCOPED_TRACE(name);
      EXPECT_NO_THROW(Validate(set, name, json::object()));
    }
  }
  EXPECT_FALSE(HasSchema(SchemaSet::kCore, "messages.pong"));
  EXPECT_THAT(Validate(SchemaSet::kCore, "messages.pong", json()), IsEmpty());
}

// Nothing that good transcripts send goes without a core schema.
TEST(CoreSchemas, ThereIsOneForAllThatIsSent) {
  const Transcript good = ReadTranscript(PARITY_SOURCE_DIR "/tests/wire/fixtures/good.jsonl");
  const SideView side(good);
  std::size_t values = 0;
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      for (const SentValue& sent : SentValuesOf(answer)) {
        if (sent.schema == "stats") continue;
        EXPECT_TRUE(HasSchema(SchemaSet::kCore, sent.schema)) << view.name() << sent.schema;
        ++values;
      }
    }
  }
  EXPECT_GT(values, 150u);
}

}  // namespace
}  // namespace parity::wire
