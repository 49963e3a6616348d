#include "gtest_parity/recorded_reference.h"

#include <utility>

#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/refused.h"

namespace parity {

std::optional<LibraryHashes> RecordedReference::library() const {
  if (folder == nullptr) return std::nullopt;
  return index.library;
}

std::string RecordedReference::Text() const {
  if (folder == nullptr) return "a recording that is refused";
  return "recorded " + index.recorded + " by " + index.reference.engine + " (library " +
         index.library.library.substr(0, 12) + ")";
}

RecordedReference OpenRecordedReference(const std::string& path) {
  RecordedReference recorded;
  recorded.path = path;
  try {
    auto folder = std::make_shared<const RecordingFolder>(path);
    recorded.index = ReadRecordingIndex(*folder);
    recorded.folder = std::move(folder);
  } catch (const std::exception& error) {
    recorded.refusal = std::string("the recording is refused: ") + error.what();
  }
  return recorded;
}

void ExpectSameLibrary(const RecordedReference& recorded, const Manifest& manifest) {
  const std::string& library = manifest.reference.library;
  if (library.empty()) return;
  const LibraryHashes here = HashLibrary(library);
  if (here == recorded.index.library) return;
  throw RecordingRefused(recorded.path + ": is of another engine library",
                         recorded.index.library.library, here.library + " (" + library + ")");
}

}  // namespace parity
