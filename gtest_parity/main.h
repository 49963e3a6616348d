// The main function of a suite.
#ifndef GTEST_PARITY_MAIN_H_
#define GTEST_PARITY_MAIN_H_

#include <functional>
#include <memory>
#include <string>

#include "gtest_parity/session/campaign.h"
#include "gtest_parity/session/inquiry.h"
#include "gtest_parity/session/session.h"
#include "gtest_parity/suite.h"

namespace parity {

// What a suite runs that drives its sides itself; see SessionOptions for what it is to heed.
using MakeCampaign = std::function<std::unique_ptr<Campaign>(Manifest, SessionOptions)>;

// What makes a suite. As it stands: spans and what they come to, with the fixtures of fixtures.h.
struct SuiteDefinition {
  MakeInquiry inquiry = nullptr;    // asks more of the sides that a Session starts
  MakeCampaign campaign = nullptr;  // instead of a Session
  // Fills the tables of its fixtures; null: InstantiateCases. See instantiate.h.
  void (*instantiate)(const std::string& prefix, Suite& suite) = nullptr;
  bool takes_transcripts = false;  // --parity_transcripts, in place of both sides
};

// Reads --parity_manifest, fills the table of cases, runs GoogleTest and reports. Returns the exit
// code: 0 every selected case passes and something was compared, 1 FAIL, 2 usage or nothing
// selected, 3 INCONCLUSIVE, SELF or nothing compared, 4 ERROR, 77 only BLOCKED. A process that ends
// before it has a verdict, by exit() from anywhere, exits with 4.
int ParityMain(int argc, char** argv, const SuiteDefinition& suite = {});

}  // namespace parity

#endif  // GTEST_PARITY_MAIN_H_
