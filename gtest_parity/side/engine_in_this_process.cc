#include "gtest_parity/side/engine_in_this_process.h"

#include <unistd.h>

#include <utility>

#include "gtest_parity/device/gpus.h"
#include "gtest_parity/device/host_device.h"
#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/blame.h"

namespace parity {

EngineInThisProcess::EngineInThisProcess(SideOptions side)
    : side_(std::move(side)), progress_(side_.ranks), collective_(side_.ranks) {
  try {
    group_ = std::make_unique<RankGroup>(side_.library, side_.engine, side_.config.dump());
  } catch (const EngineError& error) {
    throw SetupError("the " + side_.name + " cannot be loaded: " + error.what());
  }
  try {
    CheckDescription(side_, group_->Describe());
    CheckTraits(side_, group_->traits());
  } catch (const EngineError& error) {
    ThrowIfAny({{0, error.status(), error.what(), 0, 0}}, {});
  }
  RankSetup setup = {.pages = {},
                     .watched = WatchedTensors(side_.description),
                     .rendezvous = {},
                     .meeting = collective_.meeting(),
                     .progress = progress_.data()};
  side_.chunks.resize(side_.ranks);
  for (std::size_t rank = 0; rank < side_.ranks; ++rank) {
    std::shared_ptr<Device> device = std::make_shared<HostDevice>();
    if (!side_.gpus.empty()) device = OpenGpu(side_.gpus[rank]);
    std::vector<MappedChunk> mapped;
    for (const ChunkHandle& chunk : side_.chunks[rank]) {
      mapped.push_back(chunk.gpu_bytes == 0 ? MapChunk(chunk.fd, side_.records)
                                            : MapGpuChunk(device, chunk, side_.records));
    }
    setup.pages.emplace_back(std::move(device), std::move(mapped));
  }
  try {
    setup.rendezvous = group_->MakeRendezvous();
  } catch (const EngineError& error) {
    ThrowIfAny({{0, error.status(), error.what(), 0, 0}}, {});
  }
  ThrowIfAny(group_->Create(std::move(setup)), {});
}

std::vector<Results> EngineInThisProcess::Run(const std::vector<Script>& scripts) {
  std::vector<std::vector<Instruction>> instructions;
  for (const Script& script : scripts) instructions.push_back(script.instructions());
  std::vector<Results> results;
  collective_.Renew();
  ThrowIfAny(group_->Run(instructions, results), scripts);
  return results;
}

void EngineInThisProcess::ThrowIfAny(std::vector<RankError> errors,
                                     const std::vector<Script>& scripts) {
  errors = OnlyToBlame(std::move(errors), collective_.meeting());
  if (!errors.empty()) throw SideFailure(DeathOf(errors, side_.description, scripts));
}

std::string EngineInThisProcess::provenance() const {
  return side_.name + ": " + side_.engine + " of " + side_.library + " in process: not evidence";
}

std::vector<std::string> EngineInThisProcess::MappedObjects() const {
  return MappedObjectsOf(getpid());
}

}  // namespace parity
