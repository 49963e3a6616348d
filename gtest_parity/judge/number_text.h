// Numbers as text, the same in every locale.
#ifndef GTEST_PARITY_JUDGE_NUMBER_TEXT_H_
#define GTEST_PARITY_JUDGE_NUMBER_TEXT_H_

#include <string>

namespace parity {

// The shortest text that reads back as the same double; "inf", "-inf", "nan".
std::string NumberText(double value);
// Four significant digits, for prose.
std::string ShortText(double value);
// A fixed number of decimals, never scientific; "inf", "-inf", "nan".
std::string FixedText(double value, int decimals);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_NUMBER_TEXT_H_
