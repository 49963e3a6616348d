// A line on the terminal that says what is going on.
#ifndef GTEST_PARITY_PROGRESS_H_
#define GTEST_PARITY_PROGRESS_H_

#include "gtest_parity/replay/recorder.h"

namespace parity {

// Redraws one line on standard error, at most ten times a second; does nothing where that is no
// terminal.
Progress TerminalProgress();

}  // namespace parity

#endif  // GTEST_PARITY_PROGRESS_H_
