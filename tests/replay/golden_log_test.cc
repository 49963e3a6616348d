#include "gtest_parity/replay/golden_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/replay/refused.h"

namespace parity {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const std::vector<GoldenChange> kChanges = {
    {"2026-01-01T00:00:00Z", "gtest_parity 0.1.0", "new", "", "aa"},
    {"2026-02-01T00:00:00Z", "gtest_parity 0.1.0", "two\nlines, \"quoted\"", "aa", "bb"}};

auto Refusal(const std::string& words) { return ThrowsMessage<RecordingRefused>(HasSubstr(words)); }

TEST(GoldenLog, WhatIsWrittenIsRead) {
  const std::string text = GoldenLogText(kChanges);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(GoldenLogText(ParseGoldenLog(text)), text);
  EXPECT_EQ(ParseGoldenLog(text)[1].reason, kChanges[1].reason);
  EXPECT_THAT(ParseGoldenLog(""), IsEmpty());
}

TEST(GoldenLog, LineThatIsNoneIsNamed) {
  const std::string text = GoldenLogText(kChanges);
  EXPECT_THAT([&] { ParseGoldenLog(text + "no json\n"); },
              Refusal("golden.jsonl: line 3: it is no JSON object"));
  EXPECT_THAT([&] { ParseGoldenLog(text + "\n"); }, Refusal("line 3"));
  EXPECT_THAT([&] { ParseGoldenLog(R"({"after": "a"})"); }, Refusal("line 1: expected a reason"));
  EXPECT_THAT([&] { ParseGoldenLog(R"({"reason": "a"})"); }, Refusal("line 1: expected a reason"));
  EXPECT_THAT([&] { ParseGoldenLog(R"({"reason": "a", "after": "b", "by": "c"})"); },
              Refusal("line 1: got "));
}

TEST(GoldenLog, LeadsToWhatIsThere) {
  CheckGoldenLog(kChanges, "bb");
  EXPECT_THAT([] { CheckGoldenLog(kChanges, "cc"); },
              Refusal("its last change ends: got at 'bb', expected 'cc'"));
  EXPECT_THAT([] { CheckGoldenLog({}, "cc"); }, Refusal("got at '', expected 'cc'"));
  EXPECT_THAT([] { CheckGoldenLog({kChanges[1]}, "bb"); },
              Refusal("the change of 2026-02-01T00:00:00Z begins: got at 'aa', expected ''"));
}

}  // namespace
}  // namespace parity
