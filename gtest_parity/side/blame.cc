#include "gtest_parity/side/blame.h"

#include <algorithm>
#include <utility>

namespace parity {
namespace {

// The run that was staged when the instruction (1 + index) was carried out.
std::string RunAt(const Script& script, std::uint32_t instruction) {
  std::string run;
  for (std::uint32_t i = 0; i < instruction && i < script.instructions().size(); ++i) {
    const Instruction& at = script.instructions()[i];
    if (at.what == Do::kStage) run = at.step->run;
  }
  return run;
}

std::string OpAt(const Description& description, const Script& script, std::uint32_t instruction,
                 std::uint64_t op) {
  if (instruction == 0 || instruction > script.instructions().size()) return "";
  const Instruction& at = script.instructions()[instruction - 1];
  if (at.what != Do::kRun && at.what != Do::kRunTapped) return "";
  if (op == 0 && at.hi - at.lo == 1) op = at.lo + 1;
  const Program* program = description.FindProgram(at.program);
  if (program == nullptr || op == 0 || op > program->ops.size()) return "";
  return program->ops[op - 1].label;
}

// Fills in where a rank was.
void Locate(Death& death, const Description& description, const std::vector<Script>& scripts,
            std::size_t rank, std::uint32_t instruction, std::uint64_t op) {
  death.during_setup = scripts.empty();
  if (rank >= scripts.size()) return;
  // It had come to the end of its script.
  if (instruction == 0 || instruction == kLoading) {
    instruction = static_cast<std::uint32_t>(scripts[rank].instructions().size());
  }
  death.run = RunAt(scripts[rank], instruction);
  death.op = OpAt(description, scripts[rank], instruction, op);
}

}  // namespace

std::vector<int> Suspects(const RankProgress* progress, const std::vector<int>& ranks) {
  std::vector<int> busy, waiting;
  int first_dead = -1;
  std::uint64_t first_death = 0;
  for (const int rank : ranks) {
    const RankProgress& at = progress[rank];
    const std::uint64_t died = at.died;
    if (died != 0 && (first_dead < 0 || died < first_death)) {
      first_dead = rank;
      first_death = died;
    }
    if (at.instruction == 0) continue;
    (at.waiting != 0 ? waiting : busy).push_back(rank);
  }
  if (first_dead >= 0) return {first_dead};
  if (!busy.empty()) return busy;
  if (waiting.empty() && ranks.size() == 1) return ranks;
  return waiting;
}

Death DeathOf(Death::Cause cause, std::string what, const Description& description,
              const std::vector<Script>& scripts, const std::vector<int>& suspects,
              const RankProgress* progress) {
  Death death;
  death.cause = cause;
  death.what = std::move(what);
  death.ranks = suspects;
  const auto rank = static_cast<std::size_t>(suspects.empty() ? 0 : suspects.front());
  const bool known = !suspects.empty();
  Locate(death, description, scripts, rank, known ? progress[rank].instruction.load() : 0,
         known ? std::uint64_t{progress[rank].op} : 0);
  return death;
}

Death DeathOf(const std::vector<RankError>& errors, const Description& description,
              const std::vector<Script>& scripts) {
  // Where one lost its device, what others say follows from it.
  const auto lost = std::find_if(errors.begin(), errors.end(), [](const RankError& error) {
    return error.status == PARITY_DEVICE_LOST;
  });
  const RankError& first = lost != errors.end() ? *lost : errors.front();
  Death death;
  death.cause = first.status == PARITY_REFUSED       ? Death::Cause::kRefused
                : first.status == PARITY_DEVICE_LOST ? Death::Cause::kDeviceLost
                                                     : Death::Cause::kFailed;
  death.what = first.words;
  for (const RankError& error : errors) {
    if (lost == errors.end() || error.status == PARITY_DEVICE_LOST) {
      death.ranks.push_back(static_cast<int>(error.rank));
    }
  }
  Locate(death, description, scripts, first.rank, first.instruction, first.op);
  return death;
}

}  // namespace parity
