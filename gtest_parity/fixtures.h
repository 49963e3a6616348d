// Fixtures of the generated cases. A suite writes TEST_Ps on them:
//
//   TEST_P(SpanParity, Matches) { ExpectParity(); }
//
// and ParityMain instantiates them from a manifest.
#ifndef GTEST_PARITY_FIXTURES_H_
#define GTEST_PARITY_FIXTURES_H_

#include <gtest/gtest.h>

#include "gtest_parity/suite.h"

namespace parity {

class ParityCase : public testing::TestWithParam<CaseParameter> {
 protected:
  // Fails with the cause where a side could not be set up.
  void SetUp() override;
  // Judges the case and tells GoogleTest: a failure unless it passes, a skip when it is BLOCKED.
  void ExpectParity();

  Campaign& campaign() const { return *GetParam().suite->campaign; }
  const Case& which() const { return GetParam().which; }
  // Why a verdict passes or not, complete enough to act on.
  testing::AssertionResult Told(const Verdict& verdict) const;

 private:
  std::string FullName() const;
};

class Preflight : public ParityCase {  // the sides load and are two different things
 protected:
  void SetUp() override {}
};
class SpanParity : public ParityCase {};  // a span, on all kept runs and ranks
class EndToEnd : public ParityCase {};    // a program's logits, outputs and final states
class Domain : public ParityCase {};      // an output stays in its declared domain
class Replicated : public ParityCase {};  // a buffer is the same on every rank

// Fills the table of cases: for each fixture its TEST_Ps, named `<prefix>/<fixture>.<test>/<slug>`.
// Before testing::InitGoogleTest.
void InstantiateCases(const std::string& prefix, Suite& suite);

}  // namespace parity

#endif  // GTEST_PARITY_FIXTURES_H_
