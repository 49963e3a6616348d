// Generations that go wrong, through the suite `tokens`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPageEdge[] = "Greedy/b1_page_edge";

SuiteArguments Arguments(const std::string& mutant = "") {
  SuiteArguments arguments = {.manifest = "tests/suite/tokens.yaml", .candidate = mutant};
  arguments.suite = PARITY_TOKENS;
  return arguments;
}

// The manifest with some text in the place of another, in a folder of its own.
std::string Edited(const ScratchFolder& folder, const std::string& from, const std::string& to) {
  std::string text = ReadFileIfThere(InSource("tests/suite/tokens.yaml")).value_or("");
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
      text.replace(at, what.size(), with);
    }
  };
  replace(from, to);
  replace("../../", InSource(""));
  return folder.Write("tokens.yaml", text);
}

std::string With(const ScratchFolder& folder, const std::string& tokens) {
  return Edited(folder, "tokens: {fixture: ../../manifests/tiny/tokens.json}", "tokens: " + tokens);
}

// A model in which two tokens are one: their logits are equal everywhere.
std::string ModelWithTwin(const ScratchFolder& folder, std::uint64_t token, std::uint64_t twin) {
  const std::string model = folder.Path("model");
  std::filesystem::copy(InSource("manifests/tiny/model"), model);
  std::string weights = ReadFileIfThere(model + "/model.safetensors").value_or("");
  std::uint64_t header = 0;
  std::memcpy(&header, weights.data(), sizeof(header));
  const nlohmann::json embedding =
      nlohmann::json::parse(weights.substr(8, header)).at("model.embed_tokens.weight");
  const auto begin = 8 + header + embedding.at("data_offsets").at(0).get<std::uint64_t>();
  const auto row = embedding.at("shape").at(1).get<std::uint64_t>() * 2;  // bf16
  weights.replace(begin + twin * row, row, weights.substr(begin + token * row, row));
  folder.Write("model/model.safetensors", weights);
  return model;
}

TEST(GreedySuite, APortPassesAndEveryIdIsCounted) {
  SuiteArguments arguments = Arguments();
  arguments.ranks = 2;
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_EQ(run.At(kPageEdge).verdict.compared, 2u * 13);
  EXPECT_EQ(PropertyOf(run.At(kPageEdge), "chosen_by"), "buffer next_token");
}

TEST(GreedySuite, ListsCasesAndStartsNoHost) {
  SuiteArguments arguments = Arguments();
  arguments.reports = false;
  arguments.more = {"--gtest_list_tests", "--parity_host=/nonexistent"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.err();
  EXPECT_THAT(run.out(), AllOf(HasSubstr("tokens/Greedy.\n  Matches/b1_page_edge"),
                               Not(HasSubstr("SpanParity"))));
}

TEST(GreedySuite, ARecordingOnDiskIsRefused) {
  for (const char* flag : {"--parity_record=", "--parity_reference=", "--parity_golden="}) {
    SuiteArguments arguments = Arguments();
    arguments.reports = false;
    arguments.more = {flag + std::string("/nonexistent/recording")};
    const SuiteRun run(arguments);
    EXPECT_EQ(run.exit_code(), 2);
    EXPECT_THAT(run.err(), HasSubstr("this suite asks a living reference"));
  }
}

TEST(GreedySuite, TellsAFailingCaseCompletely) {
  SuiteArguments arguments = Arguments(R"({"name": "repeat_at_page"})");
  arguments.filter = "*Greedy*b1_page_edge";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_TRUE(MatchesGolden("failing_generation.txt", Normalised(run.out(), run.folder())));
}

// A repetition at one place costs no later id its verdict.
TEST(GreedySuite, ARepetitionAtAPagesEdgeIsNamedThereAndNowhereElse) {
  const SuiteRun run(Arguments(R"({"name": "repeat_at_page"})"));
  const CaseResult& result = run.At(kPageEdge);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  ASSERT_EQ(result.verdict.findings.size(), 1u);
  EXPECT_THAT(result.verdict.summary, HasSubstr("not what its own logits say"));
  EXPECT_EQ(result.verdict.compared, result.verdict.expected);
}

TEST(GreedySuite, ATieBrokenToTheHighestIndexFails) {
  const ScratchFolder folder;
  const std::string model = ModelWithTwin(folder, 13, 1023);  // a comma
  SuiteArguments arguments;
  arguments = Arguments(R"({"name": "tie_high"}, "model": ")" + model + "\"");
  arguments.more = {"--parity_reference_config={\"model\": \"" + model + "\"}"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  const CaseResult& result = run.At(kPageEdge);
  EXPECT_THAT(result.verdict.summary,
              AllOf(HasSubstr("reference 13, candidate 1023"), HasSubstr("margin 0,"),
                    HasSubstr("a tie of equal logits is broken otherwise")));
  arguments = Arguments();
  arguments.more = {"--parity_reference_config={\"model\": \"" + model + "\"}",
                    "--parity_candidate_config={\"model\": \"" + model + "\"}"};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 0);
}

TEST(GreedySuite, AnEndThatTheCandidateIgnoresFails) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments(R"({"name": "eos_ignored", "token": 13})");
  arguments.manifest = With(folder, "{end: [13], least: 1}");
  arguments.filter = "*Greedy*";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(run.At(kPageEdge).verdict.summary,
              AllOf(HasSubstr("reference 13 (ends the sequence)"),
                    HasSubstr("not what its own logits say: the highest is 13")));
}

TEST(GreedySuite, AnEarlyEndIsInconclusiveOnBothSides) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments();
  arguments.manifest = With(folder, "{end: [609]}");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 3);
  EXPECT_EQ(run.At(kPageEdge).outcome, Outcome::kInconclusive);
  EXPECT_THAT(run.At(kPageEdge).verdict.summary,
              AllOf(HasSubstr("the reference ended after 1 id, the candidate after 1"),
                    HasSubstr("an early end is no evidence")));
}

TEST(GreedySuite, AnEndAtOnceIsNotCompared) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments();
  arguments.filter = "*Greedy*b1_page_edge";
  arguments.manifest = With(folder, "{end: [385]}");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 3);
  EXPECT_EQ(run.At(kPageEdge).outcome, Outcome::kNotCompared) << run.out();
}

// The same drift: a tie for a kernel swap, after which the rest is compared, and a FAIL for a port.
TEST(GreedySuite, ATieIsListedAndTheRestIsCompared) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments(R"({"name": "drift"})");
  arguments.filter = "*Greedy*b1_page_edge";
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 1);
  arguments.manifest = Edited(folder, "spans: exact", "spans: end_to_end, kl: 0.02");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  const Verdict& verdict = run.At(kPageEdge).verdict;
  EXPECT_THAT(verdict.findings, Contains(HasSubstr("a tie, got reference")));
  EXPECT_EQ(verdict.compared, verdict.expected);
  EXPECT_NE(PropertyOf(run.At(kPageEdge), "ties"), "0");
}

TEST(GreedySuite, ABufferThatHoldsNoChoicesIsRefused) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments();
  arguments.manifest = With(folder, "{choice: h}");
  EXPECT_THAT(SuiteRun(arguments).err(),
              HasSubstr("tokens.choice: got \"h\", expected a buffer of i32 or i64"));
}

TEST(GreedySuite, ACandidateThatDiesFailsAndTheOthersGoOn) {
  SuiteArguments arguments = Arguments(R"({"name": "crash", "run": "b1_page_edge/decode#3"})");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(run.At(kPageEdge).verdict.summary,
              AllOf(HasSubstr("signal SIGSEGV"), HasSubstr("b1_page_edge/decode#3"),
                    HasSubstr("layer1.attention")));
  EXPECT_EQ(run.At("Greedy/b1_chunk_edge").outcome, Outcome::kPass);
}

TEST(GreedySuite, AReferenceThatDiesIsAnError) {
  SuiteArguments arguments = Arguments();
  arguments.manifest = "tests/suite/ported_vs_paged.yaml";
  arguments.reference = R"({"name": "bad_token"})";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.cases().back().verdict.summary,
              HasSubstr("the reference chooses 5000, which is no token"));
}

}  // namespace
}  // namespace parity::testing
