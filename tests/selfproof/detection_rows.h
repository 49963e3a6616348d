// How small a fault each instrument finds: faults of many sizes, and instruments asked alone.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_DETECTION_ROWS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_DETECTION_ROWS_H_

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace parity::testing {

// A mutant of the port whose sizes are a ladder, from the largest, 0, to the smallest.
struct SizedFault {
  std::string name;
  std::string op;  // slug of what it spoils, after the program's name
  std::string dtype;
  int sizes;
  std::string (*mutant)(int size);  // as JSON
  std::string (*text)(int size);    // as the table has it
};

// One way to be caught, with nothing else looking.
struct Instrument {
  std::string name;
  std::string judge;      // the manifest's `judge`
  std::string reference;  // mutant as JSON; empty: one that repeats bit for bit
  std::string fixture;    // of the cases that look
};

void PrintTo(const SizedFault& fault, std::ostream* out);

std::span<const SizedFault> SizedFaults();
std::span<const Instrument> Instruments();

// Whether a case of `instrument` is not green over a fault of that size; a negative size is no
// fault at all. Fails the test if the suite came to no result.
bool Catches(const Instrument& instrument, const SizedFault& fault, int size);

// The smallest size that is caught, by bisection: a larger fault is taken to be no harder to find.
// Nothing if not even the largest is.
std::optional<int> SmallestCaught(const Instrument& instrument, const SizedFault& fault);

// Cells of one row, kept for the table that is printed when all tests have ended.
void RemoveDetection(const SizedFault& fault);
void WriteDetection(const SizedFault& fault, const std::vector<std::string>& cells);
std::optional<std::vector<std::string>> ReadDetection(const SizedFault& fault);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_DETECTION_ROWS_H_
