// Tokenizers that go wrong, through the suite `tokens`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::AllOfArray;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kTokenizers[] = "*SpecialIds*:*Encode*:*Decode*:*Stream*:*Framing*";

SuiteArguments Arguments(const std::string& mutant = "") {
  SuiteArguments arguments = {
      .manifest = "tests/suite/tokens.yaml", .filter = kTokenizers, .candidate = mutant};
  arguments.suite = PARITY_TOKENS;
  return arguments;
}

struct Row {
  const char* mutant;
  std::set<std::string> red;  // fixtures of which a case is red
  const char* worst;          // one of those cases
  std::vector<const char*> words;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.mutant; }

class WrongTokenizerTest : public ::testing::TestWithParam<Row> {};

TEST_P(WrongTokenizerTest, IsNamedAsWhatItIs) {
  const SuiteRun run(Arguments(std::string(R"({"name": ")") + GetParam().mutant + "\"}"));
  EXPECT_EQ(run.exit_code(), 1) << run.err();
  std::set<std::string> red;
  for (const CaseResult& result : run.cases()) {
    if (!Passes(result.outcome)) red.insert(FixtureOf(result));
  }
  EXPECT_THAT(red, ElementsAreArray(GetParam().red));
  const CaseResult& worst = run.At(GetParam().worst);
  EXPECT_EQ(worst.outcome, Outcome::kFail);
  for (const char* words : GetParam().words) EXPECT_THAT(worst.verdict.summary, HasSubstr(words));
}

INSTANTIATE_TEST_SUITE_P(
    all, WrongTokenizerTest,
    ::testing::Values(Row{"special_off_by_one",
                          {"SpecialIds"},
                          "SpecialIds/all",
                          {"reference eos 1, candidate eos 2",
                           "the fixture agrees with the reference"}},
                      Row{"bytes_off_by_one",
                          {"Decode", "Encode"},
                          "Encode/emoji",
                          {"encode: differs at 0 (lengths", "got reference 174, candidate 173"}},
                      Row{"bos_missing",
                          {"Encode"},
                          "Encode/empty",
                          {"encode with special ids: differs at 0 (lengths 1 and 0)",
                           "reference 0, candidate nothing"}},
                      Row{"bos_twice",
                          {"Framing"},
                          "Framing/one_turn",
                          {"frame: differs at 1", "candidate 0, allowed"}},
                      Row{"special_in_text",
                          {"Decode", "Encode"},
                          "Encode/special_text",
                          {"encode: differs at 0", "got reference 29, candidate 0"}},
                      Row{"special_shown",
                          {"Decode", "Stream"},
                          "Decode/special_ids",
                          {"decode: differs at byte 0", "candidate \"<s>"}},
                      Row{"stream_breaks",
                          {"Stream"},
                          "Stream/emoji",
                          {"decode id by id: differs", "candidate \"\\xef\\xbf\\xbd\""}},
                      Row{"frame_parses",
                          {"Framing"},
                          "Framing/special_text",
                          {"frame: differs at", "candidate 1, allowed"}}),
    [](const auto& info) { return std::string(info.param.mutant); });

TEST(TokenizerSuite, TwoImplementationsAgreeWithTheModelsOwnLibrary) {
  const SuiteRun run(Arguments());
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_GE(run.cases().size(), 90u);
  EXPECT_THAT(RedCases(run.cases()), IsEmpty());
}

TEST(TokenizerSuite, TellsAFailingCaseCompletely) {
  SuiteArguments arguments = Arguments(R"({"name": "bytes_off_by_one"})");
  arguments.filter = "*Encode*accents";
  const SuiteRun run(arguments);
  EXPECT_TRUE(MatchesGolden("failing_tokenizer.txt", Normalised(run.out(), run.folder())));
}

// A model without a tokenizer, on one side or on both.
class NoTokenizerTest : public ::testing::Test {
 protected:
  NoTokenizerTest() {
    std::filesystem::copy(InSource("manifests/tiny/model"), folder_.Path("model"));
    std::filesystem::remove(folder_.Path("model/tokenizer.json"));
  }
  std::string Config(const char* side) const {
    return std::string("--parity_") + side + "_config={\"model\": \"" + folder_.Path("model") +
           "\"}";
  }
  ScratchFolder folder_;
};

TEST_F(NoTokenizerTest, OnTheReferenceBlocksWithTheReason) {
  SuiteArguments arguments = Arguments();
  arguments.filter = "*Encode*emoji";
  arguments.more = {Config("reference")};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 77) << run.out();
  EXPECT_EQ(run.At("Encode/emoji").outcome, Outcome::kBlocked);
  EXPECT_EQ(run.At("Encode/emoji").verdict.summary, "the reference does not offer `tokenize`");
}

TEST_F(NoTokenizerTest, OnTheCandidateAloneFails) {
  SuiteArguments arguments = Arguments();
  arguments.filter = "*Encode*emoji";
  arguments.more = {Config("candidate")};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(run.At("Encode/emoji").verdict.summary,
              HasSubstr("the candidate does not offer `tokenize`, the reference does"));
}

std::string Manifest(const ScratchFolder& folder) {
  std::string text = ReadFileIfThere(InSource("tests/suite/tokens.yaml")).value_or("");
  for (std::size_t at = 0; (at = text.find("../../", at)) != std::string::npos;) {
    text.replace(at, 6, InSource(""));
  }
  const std::string shipped = InSource("manifests/tiny/tokens.json");
  text.replace(text.find(shipped), shipped.size(), folder.Path("tokens.json"));
  return folder.Write("tokens.yaml", text);
}

TEST(TokenizerSuite, ReferenceThatFailsTheFixtureInTheSameWayIsAStar) {
  const ScratchFolder folder;
  folder.Write("tokens.json", R"({"parity_tokens": 1, "source": "wrong on purpose",
    "special": {"bos": 0, "eos": 1},
    "texts": {"a": {"text": "a", "ids": [65], "with_special": [0, 66], "parsed": [66],
                    "decoded": "a"}}})");
  SuiteArguments arguments = Arguments();
  arguments.manifest = Manifest(folder);
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_EQ(run.At("Encode/a").outcome, Outcome::kPassStar);
  EXPECT_THAT(
      run.At("Encode/a").verdict.summary,
      AllOf(HasSubstr("the reference fails the same way"), HasSubstr("expected 65, candidate 66")));
}

TEST(TokenizerSuite, ABadFixtureIsRefusedWithEveryError) {
  const ScratchFolder folder;
  folder.Write("tokens.json", R"({"parity_tokens": 1, "texts": {"a": {}}})");
  SuiteArguments arguments = Arguments();
  arguments.manifest = Manifest(folder);
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.err(), AllOf(HasSubstr("tokens.json"), HasSubstr("missing key \"special\""),
                               HasSubstr("missing key \"ids\"")));
}

TEST(TokenizerSuite, EveryRankIsAsked) {
  SuiteArguments arguments = Arguments();
  arguments.filter = "*Encode*emoji";
  arguments.ranks = 2;
  EXPECT_EQ(SuiteRun(arguments).At("Encode/emoji").verdict.compared, 6u);
}

}  // namespace
}  // namespace parity::testing
