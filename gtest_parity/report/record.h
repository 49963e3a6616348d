// The crash record: JSON lines that say which cases are to run, which began and how each ended.
#ifndef GTEST_PARITY_REPORT_RECORD_H_
#define GTEST_PARITY_REPORT_RECORD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest_parity/report/case_result.h"
#include "gtest_parity/report/files.h"

namespace parity {

// Appends to `cases.jsonl`. Every line is handed to the system at once, so that it outlives the
// process. Every member throws ReportError if that fails (no such folder, no permission, disk
// full).
class CaseRecord {
 public:
  enum class Mode { kFresh, kAppend };  // kFresh forgets what the file held
  explicit CaseRecord(const std::string& path, Mode mode = Mode::kFresh);

  // Suite and test of every case that is to run, before the first does: one that a crash then keeps
  // from beginning is told as not reached.
  void Selected(const std::vector<std::pair<std::string, std::string>>& cases);
  // `time` is ISO 8601, UTC.
  void Started(const std::string& suite, const std::string& test, const std::string& time);
  void Finished(const CaseResult& result);

 private:
  void Append(const nlohmann::ordered_json& line);

  std::string path_;
  FileDescriptor file_;
  bool torn_ = false;  // the last line lacks its end
};

struct RecordedCases {
  // In order of their first mention. Of a case that ended more than once, the worst result. A case
  // that began and did not end is ERROR "ended during this case", unless it failed before; one that
  // was selected and never began is NotReached.
  std::vector<CaseResult> results;
  std::vector<std::string> unfinished;    // full names of those
  std::vector<std::uint64_t> unreadable;  // line numbers, from 1, the torn one left out
  bool torn = false;                      // the last line lacks its end and is ignored
};

// A case that is NOT_COMPARED because the run ended before it.
CaseResult NotReached(const std::string& suite, const std::string& test);

RecordedCases ParseRecord(std::string_view text);

// Throws ReportError if the file is missing or cannot be read.
RecordedCases ReadRecord(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_RECORD_H_
