// A recording on disk in the place of a reference that runs.
#ifndef GTEST_PARITY_RECORDED_REFERENCE_H_
#define GTEST_PARITY_RECORDED_REFERENCE_H_

#include <memory>
#include <optional>
#include <string>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording_folder.h"
#include "gtest_parity/replay/recording_index.h"

namespace parity {

struct RecordedReference {
  std::string path;
  // Null where it is refused: every case is an ERROR with that reason.
  std::shared_ptr<const RecordingFolder> folder;
  RecordingIndex index;
  std::string refusal;

  // Hashes to plan with; none where it is refused.
  std::optional<LibraryHashes> library() const;
  // "recorded 2026-11-29T22:00:00Z by paged (library 0123456789ab)"
  std::string Text() const;
};

// Opens the folder and reads its index. What is wrong with it becomes `refusal`, so that cases can
// be listed and can tell it.
RecordedReference OpenRecordedReference(const std::string& path);

// Throws RecordingRefused where the library that the manifest names is here and is not the one that
// was recorded.
void ExpectSameLibrary(const RecordedReference& recorded, const Manifest& manifest);

}  // namespace parity

#endif  // GTEST_PARITY_RECORDED_REFERENCE_H_
