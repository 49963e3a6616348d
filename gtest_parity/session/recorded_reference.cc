#include "gtest_parity/session/recorded_reference.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/refused.h"

namespace parity {
namespace {

// What is other, or not in both: "other bytes of libllama.so, rms_norm".
std::string Differing(const LibraryHashes& a, const LibraryHashes& b) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto part : {&LibraryHashes::files, &LibraryHashes::ops}) {
    std::ranges::set_symmetric_difference(a.*part, b.*part, std::back_inserter(entries));
  }
  std::set<std::string> names;  // one with two hashes is there twice
  for (const auto& [name, hash] : entries) names.insert(name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "other bytes of " : ", ") + name;
  return text;
}

}  // namespace

std::optional<LibraryHashes> RecordedReference::library() const {
  if (folder == nullptr) return std::nullopt;
  return index.library;
}

std::string RecordedReference::Text() const {
  if (folder == nullptr) return "a recording that is refused";
  return "recorded " + index.recorded + " by " + index.reference.engine + " (library " +
         index.library.library.substr(0, 12) + ")";
}

std::string RecordedReference::GoldenText(const Manifest& manifest) const {
  if (!golden || folder == nullptr) return "";
  std::string text = "the reference is the tracked golden " + path + ", " + Text() +
                     ", last for '" + changes.back().reason +
                     "'; the library that the manifest names ";
  if (manifest.reference.library.empty()) {
    text += "is not here";
  } else {
    const LibraryHashes here = HashLibrary(manifest.reference.library);
    text += here == index.library ? "is the same"
            : here.library == index.library.library
                ? "is another now (" + Differing(index.library, here) + ")"
                : "is another now (" + here.library.substr(0, 12) + ")";
  }
  const std::string machine = NewRecordingIndex().machine;
  if (machine != index.machine) text += "; recorded on " + index.machine + ", this is " + machine;
  return text;
}

RecordedReference OpenRecordedReference(const std::string& path, bool golden) {
  RecordedReference recorded;
  recorded.path = path;
  recorded.golden = golden;
  try {
    auto folder = std::make_shared<const RecordingFolder>(path);
    recorded.index = ReadRecordingIndex(*folder);
    if (golden) {
      if (!folder->sums().contains(kLogFile)) {
        throw RecordingRefused(path + ": is no golden: it holds no " + kLogFile +
                               " (`parity golden update` makes one)");
      }
      recorded.changes = ParseGoldenLog(folder->Read(kLogFile));
      CheckGoldenLog(recorded.changes, ContentHash(folder->sums()));
    }
    recorded.folder = std::move(folder);
  } catch (const std::exception& error) {
    recorded.refusal = std::string("the recording is refused: ") + error.what();
  }
  return recorded;
}

void ExpectSameLibrary(const RecordedReference& recorded, const Manifest& manifest) {
  const std::string& library = manifest.reference.library;
  if (library.empty() || recorded.golden) return;
  const LibraryHashes here = HashLibrary(library);
  if (here == recorded.index.library) return;
  if (here.library != recorded.index.library.library) {
    throw RecordingRefused(recorded.path + ": is of another engine library",
                           recorded.index.library.library, here.library + " (" + library + ")");
  }
  throw RecordingRefused(recorded.path + ": is of another engine library: " +
                         Differing(recorded.index.library, here) + " (" + library + ".impl.json)");
}

}  // namespace parity
