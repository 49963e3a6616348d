// One cause is told once: rules that need what another has found missing say so, and no more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "suites/wire/rules/apply_rules.h"
#include "suites/wire/transcript/read_transcript.h"
#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

const Transcript& Good() {
  static const Transcript good =
      ReadTranscript(PARITY_SOURCE_DIR "/tests/wire/fixtures/good.jsonl");
  return good;
}

RuleOptions Options() {
  RuleOptions options;
  options.strict = false;
  return options;
}

Exchange& At(Transcript& transcript, const std::string& name) {
  return *std::find_if(transcript.exchanges.begin(), transcript.exchanges.end(),
                       [&](const Exchange& exchange) { return exchange.name == name; });
}

Applied AfterEdit(const std::string& name, const Edit& edit) {
  Transcript damaged;
  // Of the others, only the list of models says something of it.
  for (const Exchange& exchange : Good().exchanges) {
    if (exchange.name == name || exchange.name == "models/list") {
      damaged.exchanges.push_back(exchange);
    }
  }
  edit(At(damaged, name));
  return ApplyRules(SideView(damaged), Options());
}

// Each piece of a stream in the fixture is a frame; the first is the head.
Edit DropFrames(std::size_t first, std::size_t count) {
  return [=](Exchange& exchange) {
    std::size_t frame = 0;
    std::erase_if(exchange.events, [&](const ConnectionEvent& event) {
      if (event.kind != EventKind::kReceived) return false;
      const std::size_t at = frame++;
      return at > first && at <= first + count;
    });
  };
}

constexpr std::size_t kAll = 1000;

void ExpectEachNoteHasItsCause(const Applied& applied) {
  std::set<std::pair<std::string, std::string>> found;
  for (const Finding& finding : applied.findings) found.emplace(finding.rule, finding.exchange);
  for (const Note& note : applied.notes) {
    EXPECT_TRUE(found.contains({note.cause, note.exchange})) << TextOf(note);
    EXPECT_FALSE(found.contains({note.rule, note.exchange})) << TextOf(note);
  }
}

std::vector<std::string> NotesOf(const Applied& applied) {
  std::vector<std::string> texts;
  for (const Note& note : applied.notes) texts.push_back(note.rule + " see " + note.cause);
  return texts;
}

std::set<std::string> RulesOf(const Applied& applied) {
  std::set<std::string> rules;
  for (const Finding& finding : applied.findings) rules.insert(finding.rule);
  return rules;
}

struct Row {
  std::string exchange;
  Edit edit;
  std::vector<std::string> notes;
  std::string cause;
};

TEST(WireNotes, AStreamWithoutABeginningIsToldByItsMachineAlone) {
  const Row rows[] = {
      {"chat/n2", DropFrames(0, kAll), {"C-06", "C-05", "M-01", "W-14"}, "W-17"},
      {"completions/streamed", DropFrames(0, kAll), {"C-06", "C-05", "M-01", "W-14"}, "W-18"},
      {"messages/other", DropFrames(0, 1), {"M-01", "W-14"}, "W-19"},
      {"messages/other", DropFrames(0, kAll), {"M-01", "W-14"}, "W-19"},
      {"responses/cut", DropFrames(0, kAll), {"M-01", "W-14"}, "R-02"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.exchange + " " + row.cause);
    const Applied applied = AfterEdit(row.exchange, row.edit);
    std::vector<std::string> notes;
    for (const std::string& rule : row.notes) notes.push_back(rule + " see " + row.cause);
    EXPECT_THAT(NotesOf(applied), UnorderedElementsAreArray(notes));
    EXPECT_THAT(RulesOf(applied), Contains(row.cause));
    for (const std::string& rule : row.notes) {
      EXPECT_FALSE(RulesOf(applied).contains(rule)) << rule;
    }
    EXPECT_FALSE(RulesOf(applied).contains("S-10"));
    ExpectEachNoteHasItsCause(applied);
  }
}

TEST(WireNotes, TextsOfUnnamedItemsAreNotJoined) {
  const Applied applied = AfterEdit("responses/streamed", ReplaceAll("\"output_index\":0,", ""));
  EXPECT_THAT(RulesOf(applied), Contains("R-03"));
  EXPECT_FALSE(RulesOf(applied).contains("R-05"));
  EXPECT_THAT(NotesOf(applied), Contains("R-05 see R-03"));
  ExpectEachNoteHasItsCause(applied);
}

TEST(WireNotes, WhatNoCodingCanBeTakenOffIsNotAskedToBeJson) {
  const Applied applied = AfterEdit(
      "chat/marked_a", Replace("Content-Type:", "Content-Encoding: gzip\r\nContent-Type:"));
  EXPECT_THAT(RulesOf(applied), Contains("H-08.coding"));
  EXPECT_THAT(NotesOf(applied), Contains("H-08 see H-08.coding"));
  ExpectEachNoteHasItsCause(applied);
}

TEST(WireNotes, GoodTranscriptsHaveNone) {
  EXPECT_THAT(NotesOf(ApplyRules(SideView(Good()), Options())), IsEmpty());
}

// No rule goes silent where nothing else failed: whatever is missing of a stream, from wherever on.
TEST(WireNotes, EachHasAFindingOfItsCauseInTheSameExchange) {
  std::size_t notes = 0;
  for (const Exchange& exchange : Good().exchanges) {
    if (!exchange.requests[0].streamed) continue;
    const std::size_t frames = exchange.events.size();
    for (std::size_t first = 0; first < frames; ++first) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{2}, kAll}) {
        SCOPED_TRACE(exchange.name + " from " + std::to_string(first));
        const Applied applied = AfterEdit(exchange.name, DropFrames(first, count));
        ExpectEachNoteHasItsCause(applied);
        notes += applied.notes.size();
      }
    }
  }
  EXPECT_GT(notes, 20u);
}

TEST(WireNotes, DamagesOfTheTableAreNeverSilencedByANote) {
  for (const Mutation& mutation : Mutations()) {
    SCOPED_TRACE(mutation.name);
    Transcript damaged = Good();
    Exchange& exchange = At(damaged, mutation.exchange);
    mutation.edit(exchange);
    if (mutation.mends_lengths) MendLengths(exchange);
    ExpectEachNoteHasItsCause(ApplyRules(SideView(damaged), Options()));
  }
}

// A client that left before it was told is nobody's fault; one that was answered nothing is.
TEST(WireNotes, AClientThatLeftFindsNothingMissing) {
  const Edit left = Then(DropFrames(0, kAll),
                         Then(DropKind(EventKind::kPeerClosed), AddEvent(EventKind::kClosed)));
  const Applied applied = AfterEdit("messages/other", left);
  EXPECT_THAT(NotesOf(applied), IsEmpty());
  EXPECT_FALSE(RulesOf(applied).contains("M-01"));
  EXPECT_FALSE(RulesOf(applied).contains("W-14"));
}

TEST(WireNotes, AChunkWithoutItsIdIsFoundThoughItsClientLeft) {
  const Edit left = Then(ReplaceAll("\"id\":\"chatcmpl-", "\"di\":\"chatcmpl-"),
                         Then(DropKind(EventKind::kPeerClosed), AddEvent(EventKind::kClosed)));
  EXPECT_THAT(RulesOf(AfterEdit("chat/n2", left)), Contains("W-14"));
}

}  // namespace
}  // namespace parity::wire::testing
