// Deliberate faults of the tiny server, and the check that each is for.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_WIRE_FAULTS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_WIRE_FAULTS_H_

#include <ostream>
#include <span>

namespace parity::testing {

struct WireFault {
  const char* mutant;
  const char* run;    // part of the names of the places that it takes
  const char* check;  // the case that must fail
  const char* rule;   // that it must fail by
};

inline void PrintTo(const WireFault& fault, std::ostream* out) { *out << fault.mutant; }

std::span<const WireFault> WireFaults();

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_WIRE_FAULTS_H_
