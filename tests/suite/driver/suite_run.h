// One run of a suite over the tiny engines, and what it left.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_SUITE_RUN_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_SUITE_RUN_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest_parity/report/group.h"
#include "tests/suite/driver/scratch_folder.h"
#include "tests/suite/driver/subprocess.h"

namespace parity::testing {

struct SuiteArguments {
  std::string manifest;  // below the repository's root, or absolute
  std::uint32_t ranks = 1;
  std::string filter;                // of GoogleTest; empty: every case
  std::string candidate, reference;  // mutant as JSON; empty: none
  // Far beyond any call's time on a loaded machine; where an engine hangs, say less.
  double deadline_seconds = 120;
  std::vector<std::string> more;  // arguments of the suite
  Environment environment;
  bool reports = true;  // into a folder of the run's own
  const char* suite = PARITY_SPANS;
};

// "tests/suite/x.yaml" -> its absolute path.
std::string InSource(const std::string& path);

// The command, with reports going to `output` unless that is empty.
std::vector<std::string> SuiteCommand(const SuiteArguments& arguments, const std::string& output);

// Besides what is asked for: a signal stays one under a sanitizer.
Environment SuiteEnvironment(const SuiteArguments& arguments);

class SuiteRun {
 public:
  explicit SuiteRun(const SuiteArguments& arguments);

  int exit_code() const { return finished_.exit_code; }
  const std::string& out() const { return finished_.out; }
  const std::string& err() const { return finished_.err; }
  const std::string& folder() const { return folder_.path(); }
  const GroupResult& group() const { return group_; }
  const std::vector<CaseResult>& cases() const { return group_.cases; }

  // The case whose name is "<fixture>/<slug>", such as "SpanParity/decode_embed". Throws
  // std::out_of_range, which fails the test, if it did not run.
  const CaseResult& At(const std::string& name) const;

 private:
  ScratchFolder folder_;
  Finished finished_;
  GroupResult group_;
};

// "SpanParity/decode_embed" of "paged_vs_ported/SpanParity.Matches/decode_embed".
std::string ShortName(const CaseResult& result);
// "SpanParity" and "decode_embed" of it.
std::string FixtureOf(const CaseResult& result);
std::string SlugOf(const CaseResult& result);

// Short names of those that did not pass.
std::set<std::string> RedCases(const std::vector<CaseResult>& cases);

// The value of a case's property, own or of its verdict; empty if there is none.
std::string PropertyOf(const CaseResult& result, const std::string& key);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_SUITE_RUN_H_
