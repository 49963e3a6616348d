// The cases of a suite: what a manifest's plan comes to in GoogleTest.
#ifndef GTEST_PARITY_SESSION_CASE_H_
#define GTEST_PARITY_SESSION_CASE_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"

namespace parity {

// kAsked: by the suite's own Inquiry.
enum class CaseKind { kPreflight, kSpan, kEndToEnd, kDomain, kReplicated, kAsked };

// One generated test case; the parameter of the suite's TEST_Ps.
struct Case {
  CaseKind kind = CaseKind::kSpan;
  std::string slug;      // the parameter's part of the test's name
  std::size_t span = 0;  // kSpan: index in Plan::spans
  std::string program;   // not kPreflight
  std::string tensor;    // kDomain, kReplicated
  std::string fixture;   // kAsked: the one that it belongs to
  // The fixture that it belongs to: "SpanParity", ...
  std::string Fixture() const;
};

// What --gtest_list_tests and JUnit show as the parameter's value.
void PrintTo(const Case& parameter, std::ostream* out);

// Whether the sides load and are two things.
std::vector<Case> PreflightCases();

// Every case of a plan, in the order Preflight, SpanParity, EndToEnd, Domain, Replicated. Slugs are
// unique within a kind.
std::vector<Case> CasesOf(const Plan& plan);

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_CASE_H_
