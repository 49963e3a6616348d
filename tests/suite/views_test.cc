// Two layouts of one engine, compared through views: what is found, and views that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const char kSeen[] = "tests/suite/seen.yaml";
const char kSeenReference[] = "tests/suite/seen_reference.yaml";

std::string Listing(const std::string& manifest) {
  const Finished run =
      RunProgram({PARITY_COMMAND, "spans", InSource("manifests/tiny/" + manifest), "--ranks", "2"},
                 {{"PARITY_LIBRARY_PATH", PARITY_LIBRARIES}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.out;
}

// Its part from the attention of the first layer on, and what comes after the spans.
std::string Excerpt(const std::string& listing) {
  const std::size_t first = listing.find("prefill_layer0_q_");
  const std::size_t end = listing.find("prefill_layer0_o_reduce");
  return listing.substr(first, end - first) + listing.substr(listing.find("program prefill"));
}

TEST(ViewsListing, SaysWhatIsSeenHow) {
  EXPECT_TRUE(MatchesGolden("views.txt", Excerpt(Listing("paged_vs_contiguous.yaml"))));
}

TEST(ViewsListing, WithoutViewsNamesWhatIsNotCompared) {
  EXPECT_TRUE(MatchesGolden("no_views.txt", Excerpt(Listing("paged_vs_contiguous_plain.yaml"))));
}

TEST(Views, EverySpanIsIdenticalThroughThem) {
  const SuiteRun run({.manifest = kSeen, .ranks = 2});
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  for (const CaseResult& result : run.cases()) {
    if (FixtureOf(result) != "SpanParity") continue;
    EXPECT_EQ(result.verdict.span_class, SpanClass::kIdentical) << ShortName(result);
    EXPECT_EQ(result.verdict.compared, result.verdict.expected);
  }
  // 6 caches, in prefill and in decode, on 2 ranks; the candidate's q, k, v and attn besides.
  EXPECT_THAT(run.At("Preflight/reference_views").verdict.summary,
              StartsWith("6 views, 24 proofs"));
  EXPECT_THAT(run.At("Preflight/candidate_views").verdict.summary,
              StartsWith("10 views, 40 proofs"));
}

TEST(Views, WithoutThemWhatIsNotComparedIsInTheReport) {
  const SuiteRun run({.manifest = "manifests/tiny/paged_vs_contiguous_plain.yaml",
                      .filter = "*decode_layer0_q_to_o:*EndToEnd*decode"});
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  for (const CaseResult& result : run.cases()) {
    EXPECT_THAT(result.verdict.findings,
                ::testing::Contains(StartsWith(
                    "note: layer0.k is not compared: declared differently: state f32 [128, 16")))
        << ShortName(result);
  }
}

// A wrong store is found in the span of the store and named in the view's coordinates; what comes
// after it is judged from the reference's values and stays green.
TEST(Views, MutantsAreFoundInTheirSpanAlone) {
  const SuiteRun head({.manifest = kSeen, .candidate = R"({"name": "wrong_head"})"});
  EXPECT_THAT(RedCases(head.cases()),
              ElementsAre("EndToEnd/decode", "EndToEnd/prefill", "SpanParity/decode_layer1_append",
                          "SpanParity/prefill_layer1_append"));
  EXPECT_THAT(head.At("SpanParity/decode_layer1_append").verdict.findings.front(),
              AllOf(HasSubstr("rank 0, layer1.k["), Not(HasSubstr("layer1.v"))));

  // A decode step of two sequences has two rows.
  const SuiteRun neighbour({.manifest = kSeen, .candidate = R"({"name": "neighbour_value"})"});
  EXPECT_THAT(RedCases(neighbour.cases()),
              ElementsAre("EndToEnd/decode", "EndToEnd/prefill", "SpanParity/decode_layer1_append",
                          "SpanParity/prefill_layer1_append"));
  EXPECT_THAT(neighbour.At("SpanParity/prefill_layer1_append").verdict.findings.front(),
              HasSubstr("rank 0, layer1.v["));
}

TEST(Views, AStrayIsNamedAsItIsSeen) {
  const SuiteRun run(
      {.manifest = kSeen, .filter = "*layer1_attention", .candidate = R"({"name": "leak"})"});
  EXPECT_THAT(run.At("SpanParity/decode_layer1_attention").verdict.summary,
              AllOf(HasSubstr("layer0.v/rest: broken"),
                    HasSubstr("written outside what the reference writes")));
}

struct Lie {
  const char* mutant;
  const char* words;
};

class LyingViews : public ::testing::TestWithParam<Lie> {};

INSTANTIATE_TEST_SUITE_P(
    All, LyingViews,
    ::testing::Values(Lie{"view_reversed",
                          "view layer0.k, b2_chunk_edge/prefill#0, rank 0: import of what export "
                          "gave does not give back the bytes: first at layer0.k[0, 0, 0, 0] of the "
                          "engine"},
                      Lie{"view_short",
                          "export does not write, or writes another value each time: first at "
                          "layer0.k[31, 0, 0], 0 and then "},
                      Lie{"view_moves",
                          "export moves the engine's own memory: first at layer0.k[0, 0, 0, 0] of "
                          "the engine"}),
    [](const auto& test) { return std::string(test.param.mutant); });

const char kSome[] = "*Preflight*:*layer0_append:*EndToEnd*";

TEST_P(LyingViews, OfTheCandidateFail) {
  const SuiteRun run({.manifest = kSeen,
                      .filter = kSome,
                      .candidate = std::string(R"({"name": ")") + GetParam().mutant + "\"}"});
  EXPECT_EQ(run.exit_code(), 1);
  for (const CaseResult& result : run.cases()) {
    const std::string name = ShortName(result);
    if (name.starts_with("Preflight/reference")) {
      EXPECT_EQ(result.outcome, Outcome::kPass) << name;
      continue;
    }
    EXPECT_EQ(result.outcome, Outcome::kFail) << name;
    EXPECT_THAT(result.verdict.summary,
                StartsWith("the candidate's views are not to be believed: "));
    EXPECT_THAT(result.verdict.summary, HasSubstr(GetParam().words));
  }
}

TEST_P(LyingViews, OfTheReferenceAreErrors) {
  const SuiteRun run({.manifest = kSeenReference,
                      .filter = kSome,
                      .reference = std::string(R"({"name": ")") + GetParam().mutant + "\"}"});
  EXPECT_EQ(run.exit_code(), 4);
  std::vector<std::string> summaries;
  for (const CaseResult& result : run.cases()) {
    EXPECT_EQ(result.outcome, Outcome::kError) << ShortName(result);
    summaries.push_back(result.verdict.summary);
  }
  EXPECT_THAT(summaries, Each(AllOf(StartsWith("the reference's views are not to be believed: "),
                                    HasSubstr(GetParam().words))));
}

// Export and import that undo one another, in an order of their own: no proof can tell, but every
// span that goes through the cache does.
TEST(Views, AgreedUponWrongLayoutsShowInTheSpans) {
  const SuiteRun run({.manifest = kSeen,
                      .filter = "*Preflight*:*layer0_*",
                      .candidate = R"({"name": "view_backwards"})"});
  EXPECT_EQ(run.At("Preflight/candidate_views").outcome, Outcome::kPass);
  EXPECT_THAT(
      RedCases(run.cases()),
      ElementsAre("SpanParity/decode_layer0_append", "SpanParity/decode_layer0_attention",
                  "SpanParity/prefill_layer0_append", "SpanParity/prefill_layer0_attention"));
}

// A run that kills the candidate is its case's finding, not that of the proof before it.
TEST(Views, ACrashInAnOpIsNotLaidAtTheViews) {
  const SuiteRun run({.manifest = kSeen,
                      .filter = "*Preflight.Loads/*views:*decode_layer1_*",
                      .candidate = R"({"name": "crash"})"});
  EXPECT_THAT(RedCases(run.cases()), ElementsAre("SpanParity/decode_layer1_attention"));
  EXPECT_THAT(run.At("SpanParity/decode_layer1_attention").verdict.summary,
              HasSubstr("signal SIGSEGV"));
}

}  // namespace
}  // namespace parity::testing
