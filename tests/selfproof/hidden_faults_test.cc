// Faults that no replayed span can show: only the free run, as served, finds them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/selfproof/mutant_rows.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::IsEmpty;

struct HiddenFault {
  std::string test, mutant;
  EndToEndByProgram exact, end_to_end;
};

void PrintTo(const HiddenFault& fault, std::ostream* out) { *out << fault.test; }

class HiddenFaultTest : public ::testing::TestWithParam<std::tuple<Mode, HiddenFault>> {};

TEST_P(HiddenFaultTest, IsFoundEndToEnd) {
  const auto& [mode, fault] = GetParam();
  const SuiteRun run({.manifest = ManifestOf(mode),
                      .filter = "*Preflight*:*_layer0_gate:*EndToEnd*",
                      .candidate = fault.mutant});
  EXPECT_THAT(run.group().problems, IsEmpty());
  for (const char* span : {"SpanParity/prefill_layer0_gate", "SpanParity/decode_layer0_gate"}) {
    EXPECT_EQ(run.At(span).verdict.span_class, SpanClass::kIdentical);
  }
  for (const auto& [program, expected] : mode == Mode::kExact ? fault.exact : fault.end_to_end) {
    const CaseResult& result = run.At("EndToEnd/" + program);
    EXPECT_EQ(std::string(NameOf(result.outcome)) + " " + PropertyOf(result, "rule"), expected)
        << result.verdict.summary;
  }
}

// One that is off only in whole programs, as a captured graph or a launch order may be; one that is
// off in a run of which no span was recorded.
const HiddenFault kHiddenFaults[] = {
    {"Served",
     R"({"name": "drift", "factor": 2, "served": true})",
     {{"prefill", "FAIL 2"}, {"decode", "FAIL 2"}},
     {{"prefill", "FAIL 3"}, {"decode", "FAIL 3"}}},
    {"RunThatWasNotKept",
     R"({"name": "drift", "factor": 2, "run": "b1_page_edge/decode#5"})",
     {{"prefill", "PASS 2"}, {"decode", "FAIL 2"}},
     {{"prefill", "PASS 6"}, {"decode", "FAIL 3"}}},
};

INSTANTIATE_TEST_SUITE_P(hidden, HiddenFaultTest,
                         ::testing::Combine(::testing::Values(Mode::kExact, Mode::kEndToEnd),
                                            ::testing::ValuesIn(kHiddenFaults)),
                         [](const ::testing::TestParamInfo<std::tuple<Mode, HiddenFault>>& info) {
                           return std::get<1>(info.param).test + "_" +
                                  NameOf(std::get<0>(info.param));
                         });

}  // namespace
}  // namespace parity::testing
