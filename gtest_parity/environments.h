// Loads the reference, then the candidate, for the cases that filter and shard select.
#ifndef GTEST_PARITY_ENVIRONMENTS_H_
#define GTEST_PARITY_ENVIRONMENTS_H_

#include <gtest/gtest.h>

#include "gtest_parity/suite.h"

namespace parity {

// A failed assertion here would count every case as skipped: what goes wrong is kept by the
// session, and the cases fail with it.
class ReferenceEnvironment : public testing::Environment {
 public:
  explicit ReferenceEnvironment(Suite& suite) : suite_(suite) {}
  void SetUp() override;

 private:
  Suite& suite_;
};

// Registered after ReferenceEnvironment, whose process has ended by then.
class CandidateEnvironment : public testing::Environment {
 public:
  explicit CandidateEnvironment(Suite& suite) : suite_(suite) {}
  void SetUp() override { suite_.campaign->StartCandidate(); }
  void TearDown() override { suite_.campaign->Stop(); }

 private:
  Suite& suite_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENVIRONMENTS_H_
