// How a session comes by what the reference did: live, or from a recording on disk.
#include <algorithm>
#include <utility>

#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/refused.h"
#include "gtest_parity/replay/write_recording.h"
#include "gtest_parity/session/session.h"

namespace parity {

RecordRequest Session::RequestFor(const std::vector<Case>& cases) const {
  RecordRequest request;
  request.spans.resize(plan_.spans.size());
  const bool end_to_end_spans = plan_.manifest.judge.spans == SpanMode::kEndToEnd;
  for (const Case& which : cases) {
    if (which.kind == CaseKind::kSpan) request.spans[which.span] = true;
    const bool whole = which.kind == CaseKind::kEndToEnd || which.kind == CaseKind::kDomain ||
                       which.kind == CaseKind::kReplicated ||
                       (which.kind == CaseKind::kSpan && end_to_end_spans);
    if (whole) request.programs[which.program] = true;
    // What differs end to end is laid at the spans, of all programs: drift travels through states.
    if (which.kind == CaseKind::kEndToEnd) request.spans.assign(plan_.spans.size(), true);
  }
  // No span stands alone where nothing but the reference's values at every cut keeps states right.
  const bool any_span =
      std::find(request.spans.begin(), request.spans.end(), true) != request.spans.end();
  if (any_span && NeedsEveryRun(plan_)) request.spans.assign(plan_.spans.size(), true);
  return request;
}

void Session::LoadReference() {
  const RecordedReference& recorded = *options_.recorded;
  if (recorded.folder == nullptr) throw RecordingRefused(recorded.refusal);
  try {
    ExpectSameLibrary(recorded, plan_.manifest);
    ReadFromDisk read = ReadRecording(*recorded.folder, recorded.index, plan_, workload_);
    recording_ = std::move(read.recording);
    memory_ = std::move(read.memory);
    reference_times_ = recording_.times;
    reference_copy_rates_ = recording_.copy_rates;
  } catch (const RecordingRefused& refused) {
    throw RecordingRefused(std::string("the recording is refused: ") + refused.what() +
                           (recorded.golden ? "\n  where that is wanted: parity golden update "
                                              "MANIFEST DIR --reason TEXT"
                                            : ""));
  }
  reference_identity_ = recorded.index.reference;
  pages_ = memory_->Open();
}

WrittenRecording Session::WriteReference(const std::string& folder) const {
  RecordingIndex index = NewRecordingIndex();
  index.inputs = RecordingInputs(plan_, workload_);
  index.manifest_sha256 = HashFile(plan_.manifest.path);
  index.library = HashLibrary(plan_.manifest.reference.library);
  index.reference = *reference_identity_;
  return WriteRecordingFiles(folder, index, recording_, pages_);
}

void Session::KeepRecording() {
  ExpectNothingAt(options_.record_folder);
  NewFolder folder(options_.record_folder);
  const WrittenRecording written = WriteReference(folder.path());
  WriteRecordingFile(folder.path(), kSumsFile, SumsText(written.sums), nullptr);
  folder.Become();
  written_ = "recording written to " + options_.record_folder + ": " + written.Text();
}

}  // namespace parity
