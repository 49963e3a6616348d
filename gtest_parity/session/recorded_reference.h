// A recording on disk in the place of a reference that runs.
#ifndef GTEST_PARITY_SESSION_RECORDED_REFERENCE_H_
#define GTEST_PARITY_SESSION_RECORDED_REFERENCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/golden_log.h"
#include "gtest_parity/replay/recording_folder.h"
#include "gtest_parity/replay/recording_index.h"

namespace parity {

struct RecordedReference {
  std::string path;
  // Null where it is refused: every case is an ERROR with that reason.
  std::shared_ptr<const RecordingFolder> folder;
  RecordingIndex index;
  std::string refusal;
  // A tracked golden stands for what the reference was, so that its library may have changed since.
  bool golden = false;
  std::vector<GoldenChange> changes;  // of a golden, at least one

  // Hashes to plan with; none where it is refused.
  std::optional<LibraryHashes> library() const;
  // "recorded 2026-11-29T22:00:00Z by paged (library 0123456789ab)"
  std::string Text() const;
  // Of a golden: why it is what it is, and what is known of the reference since. Empty otherwise.
  std::string GoldenText(const Manifest& manifest) const;
};

// Opens the folder and reads its index. What is wrong with it becomes `refusal`, so that cases can
// be listed and can tell it. A golden wants a log that leads to what is there.
RecordedReference OpenRecordedReference(const std::string& path, bool golden);

// Throws RecordingRefused where the library that the manifest names is here and is not the one that
// was recorded; not for a golden.
void ExpectSameLibrary(const RecordedReference& recorded, const Manifest& manifest);

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_RECORDED_REFERENCE_H_
