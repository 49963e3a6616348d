// A report that cannot be written or read.
#ifndef GTEST_PARITY_REPORT_ERROR_H_
#define GTEST_PARITY_REPORT_ERROR_H_

#include <stdexcept>

namespace parity {

// The message names the file, what was tried and what went wrong. A run that meets one must not end
// with a success: its evidence is incomplete.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_ERROR_H_
