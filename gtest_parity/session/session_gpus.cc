// What a session runs on: GPUs where a side wants them, and the recording's memory.
#include "gtest_parity/device/gpus.h"
#include "gtest_parity/session/session.h"

namespace parity {

// The reference's and the candidate's ranks share them, one after the other.
void Session::FindGpus() {
  const Manifest& manifest = plan_.manifest;
  const bool reference = manifest.reference.backend != "host" && !options_.recorded;
  if (!reference && manifest.candidate.backend == "host") return;
  for (const Gpu& gpu : GpusForRanks(manifest.ranks.count)) gpus_.push_back(gpu.uuid);
}

void Session::GiveGpus(const SideDeclaration& declared, SideOptions* side) const {
  if (declared.backend == "cuda") side->gpus = gpus_;
  if (declared.backend != "cuda_staged") return;
  // The engine looks for its GPUs itself, and must find those of this run.
  std::string& visible = side->env["CUDA_VISIBLE_DEVICES"];
  visible.clear();
  for (const std::string& uuid : gpus_) visible += (visible.empty() ? "" : ",") + uuid;
}

// Where both sides run on the GPUs the recording lies there too; else in host memory, which either
// can reach.
void Session::MakeMemory() {
  const Manifest& manifest = plan_.manifest;
  if (manifest.reference.backend != "cuda" || manifest.candidate.backend != "cuda") {
    memory_ = std::make_unique<RecordingMemory>(manifest.ranks.count, manifest.memory_budget_bytes,
                                                manifest.spill);
    return;
  }
  std::vector<std::shared_ptr<Device>> devices;
  for (const std::string& uuid : gpus_) devices.push_back(OpenGpu(uuid));
  memory_ =
      std::make_unique<RecordingMemory>(devices, manifest.memory_budget_bytes, manifest.spill);
}

}  // namespace parity
