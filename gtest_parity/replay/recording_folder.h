// A recording's folder: a few plain files, each with its SHA-256 in SHA256SUMS.
#ifndef GTEST_PARITY_REPLAY_RECORDING_FOLDER_H_
#define GTEST_PARITY_REPLAY_RECORDING_FOLDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {

inline constexpr char kIndexFile[] = "recording.json";
inline constexpr char kEvidenceFile[] = "evidence.json";
inline constexpr char kLogFile[] = "golden.jsonl";
inline constexpr char kSumsFile[] = "SHA256SUMS";
// "rank0.safetensors"
std::string PagesFile(std::size_t rank);

using Sums = std::map<std::string, std::string>;  // file name -> hex SHA-256

// As `sha256sum` writes them, in the order of names.
std::string SumsText(const Sums& sums);
// Throws RecordingRefused for what SumsText does not write: another order or form, a name that is
// none of a recording's files.
Sums ParseSums(std::string_view text);

// What identifies the content: the hash of all sums but the log's.
std::string ContentHash(const Sums& sums);

// An opened folder whose names are those of its SHA256SUMS, each a plain file and no link. What a
// file holds is checked as it is read.
class RecordingFolder {
 public:
  // Throws RecordingRefused: no such folder, a file missing, too many, not plain.
  explicit RecordingFolder(const std::string& path);

  const std::string& path() const { return path_; }
  const Sums& sums() const { return sums_; }
  std::uint64_t Size(const std::string& name) const;  // in bytes
  // The whole of a file, of at most 1 GiB. Throws RecordingRefused where its hash is another.
  std::string Read(const std::string& name) const;
  // A file as a stream: its size to `begin`, then where its bytes go is asked for piece by piece
  // (never an empty piece) until there are none left. Throws RecordingRefused as above.
  void Stream(const std::string& name, const std::function<void(std::uint64_t bytes)>& begin,
              const std::function<std::span<std::uint8_t>(std::uint64_t at)>& next) const;

 private:
  FileDescriptor Open(const std::string& name, std::uint64_t* bytes) const;

  std::string path_;
  FileDescriptor folder_;
  Sums sums_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RECORDING_FOLDER_H_
