// The main function of a suite.
#ifndef GTEST_PARITY_MAIN_H_
#define GTEST_PARITY_MAIN_H_

namespace parity {

// Reads --parity_manifest, fills the table of cases, runs GoogleTest and reports. Returns the exit
// code: 0 every selected case passes and something was compared, 1 FAIL, 2 usage or nothing
// selected, 3 INCONCLUSIVE, SELF or nothing compared, 4 ERROR, 77 only BLOCKED. A process that ends
// before it has a verdict, by exit() from anywhere, exits with 4.
int ParityMain(int argc, char** argv);

}  // namespace parity

#endif  // GTEST_PARITY_MAIN_H_
