// A recording to a folder, whole or not at all.
#ifndef GTEST_PARITY_REPLAY_WRITE_RECORDING_H_
#define GTEST_PARITY_REPLAY_WRITE_RECORDING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/recording_folder.h"
#include "gtest_parity/replay/recording_index.h"

namespace parity {

// A folder beside the one that it is to become; removed with all it holds unless it became it.
class NewFolder {
 public:
  // Throws std::runtime_error where none can be made beside `path`.
  explicit NewFolder(std::string path);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::string& path() const { return temporary_; }  // while it is being filled
  // Gives it its name, in one step. Throws std::runtime_error where that is taken.
  void Become();
  // The same, in place of the folder of that name, which is removed.
  void Replace();

 private:
  void Rename(unsigned flags, const char* what);

  std::string path_, temporary_;
};

// Throws std::runtime_error if there is anything at `path` already.
void ExpectNothingAt(const std::string& path);

struct WrittenRecording {
  Sums sums;
  std::uint64_t data_bytes = 0;   // of pages, each content once
  std::uint64_t image_bytes = 0;  // of all images
  std::string Text() const;       // "1.5 MiB of pages for 12.0 MiB of images"
};

// Writes the files of a recording but SHA256SUMS into an empty folder. `pages` by rank. Throws
// std::runtime_error with the file and the system's reason.
WrittenRecording WriteRecordingFiles(const std::string& folder, const RecordingIndex& index,
                                     const Recording& recording,
                                     const std::vector<PageStore>& pages);
// A file of the folder, on disk when this returns; its hash goes to `sums`, if given.
void WriteRecordingFile(const std::string& folder, const std::string& name, std::string_view text,
                        Sums* sums);

// A new recording at `path`, where nothing may be yet.
WrittenRecording WriteRecording(const std::string& path, const RecordingIndex& index,
                                const Recording& recording, const std::vector<PageStore>& pages);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_WRITE_RECORDING_H_
