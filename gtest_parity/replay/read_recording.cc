#include "gtest_parity/replay/read_recording.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/safetensors.h"

namespace parity {
namespace {

// Where the bytes of a file of pages go, as they come: the header is read before there is room for
// data, which goes to the chunks as it stands.
class PagesLoader {
 public:
  explicit PagesLoader(const std::vector<int>& chunks) {
    for (const int chunk : chunks) {
      chunks_.emplace_back(chunk, SizeOfSharedMemory(chunk), true);
    }
  }

  void Begin(std::uint64_t file_bytes) { file_bytes_ = file_bytes; }

  std::span<std::uint8_t> Next(std::uint64_t at) {
    if (at < length_.size()) return std::span(length_).subspan(at);
    if (at == length_.size()) header_.resize(SafetensorsHeaderBytes(length_, file_bytes_));
    const std::uint64_t data = length_.size() + header_.size();
    if (at < data) return std::span(header_).subspan(at - length_.size());
    if (at == data) ParseHeader();
    const std::uint64_t offset = at - data, chunk = offset / kChunkBytes;
    if (chunk >= chunks_.size() || offset % kChunkBytes >= chunks_[chunk].bytes()) {
      throw RecordingRefused("a file that grew as it was read");
    }
    return std::span(chunks_[chunk].data(), chunks_[chunk].bytes()).subspan(offset % kChunkBytes);
  }

  std::uint64_t Finish() {
    if (!parsed_) ParseHeader();  // no data
    return data_bytes_;
  }

 private:
  void ParseHeader() {
    parsed_ = true;
    const std::uint64_t before = length_.size() + header_.size();
    if (file_bytes_ < before) throw RecordingRefused("a safetensors file without a header");
    data_bytes_ = file_bytes_ - before;
    const std::vector<SafetensorsEntry> entries = ParseSafetensorsHeader(header_, data_bytes_);
    const std::vector<SafetensorsEntry> expected = {{"pages", "U8", {data_bytes_}, 0, data_bytes_}};
    if (entries != expected) {
      throw RecordingRefused("a file of pages: expected one tensor, 'pages', of U8");
    }
  }

  std::vector<Mapping> chunks_;
  std::uint64_t file_bytes_ = 0, data_bytes_ = 0;
  std::array<std::uint8_t, kSafetensorsLengthBytes> length_{};
  std::vector<std::uint8_t> header_;
  bool parsed_ = false;
};

// Refusals of a file's content, with the file.
template <typename Read>
auto Of(const RecordingFolder& folder, const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const RecordingRefused& refused) {
    const std::string words = refused.what();
    const std::string path = folder.path() + "/" + file;
    if (words.starts_with(path)) throw;
    throw RecordingRefused(path + ": " + words);
  }
}

void ExpectFiles(const RecordingFolder& folder, std::size_t ranks) {
  std::set<std::string> expected = {kIndexFile, kEvidenceFile};
  for (std::size_t rank = 0; rank < ranks; ++rank) expected.insert(PagesFile(rank));
  if (folder.sums().contains(kLogFile)) expected.insert(kLogFile);
  std::set<std::string> listed;
  for (const auto& [name, unused] : folder.sums()) listed.insert(name);
  if (listed == expected) return;
  throw RecordingRefused(folder.path() + ": its files",
                         ToJson(std::vector(listed.begin(), listed.end())).dump(),
                         ToJson(std::vector(expected.begin(), expected.end())).dump());
}

// Room for `bytes` of pages on each rank: in memory as far as the budget goes, in whole chunks, as
// pages lie where they lay in the file, and the rest on disk where the manifest lets it.
RecordingMemory MemoryFor(std::uint64_t bytes, const Manifest& manifest) {
  const std::uint64_t ranks = manifest.ranks.count;
  const std::uint64_t in_memory = manifest.memory_budget_bytes / kChunkBytes * kChunkBytes;
  if (!manifest.spill || bytes <= manifest.memory_budget_bytes) {
    return RecordingMemory(static_cast<std::uint32_t>(ranks), bytes);
  }
  SpillOptions spill = *manifest.spill;
  spill.bytes = bytes - in_memory;
  return RecordingMemory(static_cast<std::uint32_t>(ranks), in_memory, spill);
}

}  // namespace

RecordingIndex ReadRecordingIndex(const RecordingFolder& folder) {
  // Nobody reads the log for its evidence, but a folder is in order as a whole or not at all.
  if (folder.sums().contains(kLogFile)) folder.Read(kLogFile);
  const std::string text = folder.Read(kIndexFile);
  return Of(folder, kIndexFile, [&] { return ParseRecordingIndex(text); });
}

Recording ParseRecording(std::string_view text) {
  const Json json = ParseRecordingJson(text);
  Recording recording;
  FromJson(json, recording);
  return recording;
}

std::uint64_t LoadPages(const RecordingFolder& folder, std::size_t rank,
                        const std::vector<int>& chunks) {
  const std::string file = PagesFile(rank);
  return Of(folder, file, [&] {
    PagesLoader loader(chunks);
    folder.Stream(
        file, [&](std::uint64_t bytes) { loader.Begin(bytes); },
        [&](std::uint64_t at) { return loader.Next(at); });
    return loader.Finish();
  });
}

ReadFromDisk ReadRecording(const RecordingFolder& folder, const RecordingIndex& index,
                           const Plan& plan, const Workload& workload) {
  const std::vector<std::string> differing =
      DifferingInputs(index.inputs, RecordingInputs(plan, workload));
  if (!differing.empty()) {
    std::string lines;
    for (const std::string& line : differing) lines += "\n  " + line;
    throw RecordingRefused(folder.path() + ": is of other inputs than this run's:" + lines);
  }
  const std::size_t ranks = plan.manifest.ranks.count;
  ExpectFiles(folder, ranks);
  ReadFromDisk read;
  const std::string evidence = folder.Read(kEvidenceFile);
  read.recording = Of(folder, kEvidenceFile, [&] { return ParseRecording(evidence); });
  std::uint64_t most = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    most = std::max(most, folder.Size(PagesFile(rank)));
  }
  read.memory = std::make_unique<RecordingMemory>(MemoryFor(most, plan.manifest));
  std::vector<std::uint64_t> data_bytes;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    data_bytes.push_back(LoadPages(folder, rank, read.memory->chunks()[rank]));
  }
  Of(folder, kEvidenceFile, [&] { CheckRecording(read.recording, plan, workload, data_bytes); });
  read.memory->Seal();
  return read;
}

}  // namespace parity
