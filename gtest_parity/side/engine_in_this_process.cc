#include "gtest_parity/side/engine_in_this_process.h"

#include <unistd.h>

#include <utility>

#include "gtest_parity/engine/error.h"

namespace parity {

EngineInThisProcess::EngineInThisProcess(SideOptions side)
    : side_(std::move(side)), progress_(side_.ranks) {
  try {
    group_ = std::make_unique<RankGroup>(side_.library, side_.engine, side_.config.dump());
  } catch (const EngineError& error) {
    throw SetupError("the " + side_.name + " cannot be loaded: " + error.what());
  }
  try {
    CheckDescription(side_, group_->Describe());
  } catch (const EngineError& error) {
    ThrowIfAny({{0, error.status(), error.what(), 0, 0}}, {});
  }
  std::vector<PageStore> pages;
  for (const auto& chunks : side_.chunks) pages.emplace_back(chunks, side_.records);
  while (pages.size() < side_.ranks) pages.emplace_back(std::vector<int>{}, false);
  ThrowIfAny(group_->Create(std::move(pages), WatchedTensors(side_.description), progress_.data()),
             {});
}

std::vector<Results> EngineInThisProcess::Run(const std::vector<Script>& scripts) {
  std::vector<std::vector<Instruction>> instructions;
  for (const Script& script : scripts) instructions.push_back(script.instructions());
  std::vector<Results> results;
  ThrowIfAny(group_->Run(instructions, results), scripts);
  return results;
}

void EngineInThisProcess::ThrowIfAny(const std::vector<RankError>& errors,
                                     const std::vector<Script>& scripts) const {
  if (errors.empty()) return;
  std::vector<int> ranks;
  std::vector<std::uint32_t> instructions(side_.ranks);
  std::vector<std::uint64_t> ops(side_.ranks);
  for (const RankError& error : errors) {
    ranks.push_back(static_cast<int>(error.rank));
    instructions[error.rank] = error.instruction;
    ops[error.rank] = error.op;
  }
  const Death::Cause cause =
      errors.front().status == PARITY_REFUSED ? Death::Cause::kRefused : Death::Cause::kFailed;
  Death death = DescribeDeath(cause, errors.front().words, side_.description, scripts, ranks,
                              instructions, ops);
  death.during_setup = scripts.empty();
  throw SideFailure(death);
}

std::string EngineInThisProcess::provenance() const {
  return side_.name + ": " + side_.engine + " of " + side_.library + " in process: not evidence";
}

std::vector<std::string> EngineInThisProcess::MappedObjects() const {
  return MappedObjectsOf(getpid());
}

}  // namespace parity
