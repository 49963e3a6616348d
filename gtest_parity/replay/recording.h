// What the reference did.
#ifndef GTEST_PARITY_REPLAY_RECORDING_H_
#define GTEST_PARITY_REPLAY_RECORDING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/gpu_chunk.h"
#include "gtest_parity/device/pages.h"
#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/judge/probe.h"
#include "gtest_parity/judge/spread.h"
#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/replay/time_log.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/script.h"

namespace parity {

// The memory that images lie in, and what is spilled of it: chunks that nobody can write once they
// are sealed, per rank. The judge owns it; the reference's host
// writes it and nobody does after Seal.
class RecordingMemory {
 public:
  // The same with memory of each rank's GPU, and of the host for what that has no room for.
  RecordingMemory(const std::vector<std::shared_ptr<Device>>& gpus, std::uint64_t budget_bytes,
                  const std::optional<SpillOptions>& spill, std::optional<GpuSharing> sharing = {});
  // Reserves `budget_bytes` per rank, rounded up to whole pages, which cost memory only as they are
  // written, and behind them room on disk, which costs it now. Throws std::system_error.
  RecordingMemory(std::uint32_t ranks, std::uint64_t budget_bytes,
                  const std::optional<SpillOptions>& spill = std::nullopt);
  // Of the reference before Seal, of anybody who only reads after it.
  std::vector<std::vector<ChunkHandle>> handles() const;
  // Of host memory alone.
  std::vector<std::vector<int>> chunks() const;
  // As this process maps it, to be read.
  std::vector<PageStore> Open() const;
  // Throws std::system_error where any process could still write it, and goes on being able to. Of
  // GPU memory nobody can tell: what could be written by whom it is shown to is known by its digests
  // from here on.
  void Seal();
  // Words on what is not as it was sealed; empty where all is, or nobody could have written it.
  std::string Altered() const;
  // Chunks of GPU memory that had to become the host's, and why, by rank.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Chunk {
    FileDescriptor fd;              // of host memory
    std::unique_ptr<GpuChunk> gpu;  // instead
    bool spilled = false;
    std::optional<Digest> sealed;  // of what others can write
  };
  void AddHostChunks(std::size_t rank, const std::vector<std::uint64_t>& sizes);
  void AddGpuChunks(std::size_t rank, const std::vector<std::uint64_t>& sizes, GpuSharing sharing);
  void AddSpill(std::size_t rank, const SpillOptions& spill);

  std::vector<std::vector<Chunk>> chunks_;
  std::vector<std::shared_ptr<Device>> gpus_;
  std::vector<std::string> notes_;
};

// The offset of the first page that a budget has no room for in memory.
std::uint64_t FirstSpilledPage(std::uint64_t budget_bytes);

// One tensor of a span's frontier, in one run on one rank.
struct KeptTensor {
  Image before;            // where the span may read it
  Image after;             // where the span writes it
  ElementRanges written;   // what the reference wrote
  ElementRanges compared;  // of that, what both sides declare
};

// One span in one kept run.
struct KeptSpan {
  std::size_t run = 0;                         // index in the workload
  std::vector<std::vector<KeptTensor>> ranks;  // [rank][index in Span::frontier]
};

// What a run left for the caller, on one rank.
struct RunEnd {
  std::map<std::string, Image> images;             // logits, outputs, decisions, their scores
  std::map<std::string, std::string> digests;      // replicated buffers
  std::map<std::string, DomainViolation> domains;  // outputs with a domain
  std::map<std::string, std::uint64_t> checked;    // elements that the domain check saw
  std::map<std::string, Image> states;             // those that are due (run_end.h)
};

// A span that the reference cannot be held to: its own result depends on what was undefined.
struct ReferenceFault {
  std::size_t span = 0;
  std::string words;
};

// What lies on disk of one rank, and what it took to write it there.
struct SpillCost {
  std::uint64_t bytes = 0;
  double seconds = 0;
};

struct StageSeconds {
  double load = 0;        // starting the host and loading the engine
  double workload = 0;    // engine time of the bare workload, run whole
  double record = 0;      // the recording pass, spread included
  double end_to_end = 0;  // the repeats of the whole workload
};

struct Recording {
  std::vector<std::vector<KeptSpan>> spans;  // [index in Plan::spans]; empty: not selected
  SpreadPool spreads;
  std::vector<std::vector<RunEnd>> runs;  // [run][rank]; empty where no case needs them
  // The reference against itself, per repeat of the whole workload, by program.
  std::map<std::string, std::vector<FreeRunEvidence>> repeats;
  // Of the reference's taps and its causality, by slug of their Preflight case: those asked for.
  std::map<std::string, ProbeEvidence> probes;
  std::vector<ReferenceFault> faults;
  std::vector<std::string> not_kept;  // runs left out by the budget, with the reason
  std::vector<std::uint64_t> bytes;   // of images, by rank
  std::vector<SpillCost> spilled;     // of them, by rank
  StageSeconds seconds;
  TimeLog times;                   // of the reference's ops
  std::vector<double> copy_rates;  // bytes a second, by rank; empty: not measured
};

// What the selected cases need of the reference.
struct RecordRequest {
  std::vector<bool> spans;               // [index in Plan::spans]
  std::map<std::string, bool> programs;  // whose runs are judged end to end
  bool Any() const;
  bool JudgesEndToEnd() const;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RECORDING_H_
