// A reference that is recorded once, for runs that differ in nothing but their candidate.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_RECORDED_REFERENCE_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_RECORDED_REFERENCE_H_

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

class RecordedReference {
 public:
  // Runs the suite as told, and keeps what its reference did.
  explicit RecordedReference(const SuiteArguments& arguments)
      : run_(Recording(arguments, folder_.Path("recording"))) {}

  // The run that recorded.
  const SuiteRun& run() const { return run_; }

  // The same run over the recording: its process of the reference does not start.
  SuiteArguments Replayed(SuiteArguments arguments) const {
    arguments.more.push_back("--parity_reference=" + folder_.Path("recording"));
    return arguments;
  }

 private:
  static SuiteArguments Recording(SuiteArguments arguments, const std::string& folder) {
    arguments.more.push_back("--parity_record=" + folder);
    return arguments;
  }

  ScratchFolder folder_;
  SuiteRun run_;
};

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_RECORDED_REFERENCE_H_
