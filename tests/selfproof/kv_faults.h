// Faults of what is saved and taken up, each with the check that is for it.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_KV_FAULTS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_KV_FAULTS_H_

#include <gtest/gtest.h>

#include <string>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

struct KvFault {
  const char* mutant;
  const char* lane;
  const char* found_in;   // a check of a cell of that lane that must be red
  const char* signature;  // as an exception would name it
};

// The lane's cells with the candidate so spoiled.
inline SuiteArguments ArgumentsOf(const std::string& manifest, const std::string& mutant,
                                  const std::string& lane) {
  SuiteArguments arguments = {.manifest = manifest,
                              .filter = "*Preflight*:*Cell*/" + lane + "_*",
                              .candidate = R"({"name": ")" + mutant + R"("})"};
  arguments.suite = PARITY_KV;
  return arguments;
}

inline void ExpectFoundByItsCheck(const SuiteRun& run, const KvFault& fault) {
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At(std::string("Cell/") + fault.lane + "_" + fault.found_in);
  EXPECT_EQ(found.outcome, Outcome::kFail) << found.verdict.summary;
  EXPECT_EQ(PropertyOf(found, "signature"), fault.signature);
  for (const CaseResult& result : run.cases()) {
    if (SlugOf(result).find("reference_to_reference") == std::string::npos) continue;
    EXPECT_EQ(result.outcome, Outcome::kPass) << SlugOf(result);
  }
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_KV_FAULTS_H_
