#include "gtest_parity/side/executor.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/comparisons.h"
#include "gtest_parity/side/tap_table.h"

namespace parity {
namespace {

// What comparisons that are asked at once may have gathered of the recording, beyond which they
// save no more by it.
constexpr std::uint64_t kGatheredBytes = std::uint64_t{64} << 20;

// Empty where the engine does not offer it.
template <typename Call>
std::string WhereOffered(Call call) {
  try {
    return call();
  } catch (const EngineError& error) {
    if (error.status() != PARITY_UNSUPPORTED) throw;
    return {};
  }
}

std::string TapText(const parity_tap& tap) {
  return "'" + std::string(tap.name) + "' at op " + std::to_string(tap.op);
}

}  // namespace

Executor::Executor(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& watched,
                   RankProgress& progress)
    : rank_(rank), memory_(rank, pages, watched), watch_(memory_, watched), progress_(progress) {}

Results Executor::Execute(const std::vector<Instruction>& script) {
  Results results(script.size());
  try {
    for (std::size_t i = 0; i < script.size(); ++i) {
      progress_.instruction = static_cast<std::uint32_t>(i + 1);
      if (script[i].what == Do::kRunTapped) {
        RunTapped(script, i, results);
      } else if (script[i].what == Do::kElements && !script[i].tap) {
        i = CompareElementsFrom(script, i, results);
      } else if (!script[i].tap) {
        results[i] = Execute(script[i], results);
      } else if (i == 0 || (script[i - 1].what != Do::kRunTapped && !script[i - 1].tap)) {
        throw EngineError(PARITY_FAILED, "a tap on " + script[i].tensor.name + " in no run");
      }
    }
  } catch (...) {
    memory_.EndTap();
    watch_.Abandon();
    throw;
  }
  progress_.instruction = 0;
  return results;
}

Result Executor::Execute(const Instruction& instruction, const Results& before) {
  switch (instruction.what) {
    case Do::kReset:
      memory_.device().Synchronize();
      rank_.Reset();
      memory_.SetStep({});
      watch_.MarkAllStale();
      return {};
    case Do::kStage:
      Stage(*instruction.step);
      return {};
    case Do::kRun:
      return Run(instruction);
    case Do::kKeep:
      return memory_.Keep(instruction.tensor);
    case Do::kHold:
      memory_.Hold(instruction.tensor, instruction.into);
      return {};
    case Do::kRestore:
      watch_.MarkStale(instruction.tensor);
      return memory_.Restore(instruction.tensor, instruction.a, instruction.ranges);
    case Do::kPoison:
      FillPoison(instruction);
      return {};
    case Do::kProve:
      return memory_.Prove(instruction.tensor);
    case Do::kWatch:
      watch_.Begin();
      return {};
    case Do::kStrays: {
      Result result;
      result.strays = watch_.End(instruction.allowed, instruction.within);
      return result;
    }
    case Do::kConstants: {
      Result result;
      result.strays = watch_.ChangedConstants();
      return result;
    }
    case Do::kAsk:
    case Do::kCopyRate:
    case Do::kServe:
    case Do::kCounters:
      return Inquire(instruction);
    case Do::kSaveState:
    case Do::kLoadState:
      return KeepState(instruction);
    default:
      return Compare(instruction, before);
  }
}

Result Executor::Inquire(const Instruction& instruction) {
  Result result;
  if (instruction.what == Do::kAsk) {
    result.answer = Ask(rank_, *instruction.question);
  } else if (instruction.what == Do::kServe) {
    // Serving stages what it likes.
    memory_.device().Synchronize();
    memory_.SetStep({});
    watch_.MarkAllStale();
    result.words = WhereOffered([&] { return rank_.Serve(instruction.request); });
  } else if (instruction.what == Do::kCounters) {
    result.words = WhereOffered([&] { return rank_.Counters(); });
  } else {
    const CopyTime copy = memory_.device().MeasureCopy();
    result.count = copy.bytes;
    result.seconds = copy.seconds;
  }
  return result;
}

// The states of the slot, and what else lies in them, are the engine's affair.
Result Executor::KeepState(const Instruction& instruction) {
  memory_.device().Synchronize();
  watch_.MarkAllStale();
  Result result;
  result.state = instruction.what == Do::kSaveState
                     ? SaveState(rank_, instruction.slot, instruction.path)
                     : LoadState(rank_, instruction.slot, instruction.path);
  return result;
}

Result Executor::Compare(const Instruction& instruction, const Results& before) {
  Device& device = memory_.device();
  RankMemory::Bytes scratch_a, scratch_b, scratch_c;
  const ByteView a = memory_.Resolve(instruction.tensor, instruction.a, scratch_a);
  const auto b = [&] { return memory_.Resolve(instruction.tensor, instruction.b, scratch_b); };
  const DType stored = memory_.StoredDType(instruction.tensor);
  Result result;
  switch (instruction.what) {
    case Do::kElements:
      return CompareElements(device, {{&instruction, a, b()}}, before)[0];
    case Do::kRows:
      return CompareRows(device, instruction, a, b());
    case Do::kDecisions: {
      const bool scored = !instruction.scores.name.empty();
      const ByteView c =
          scored ? memory_.Resolve(instruction.scores, instruction.c, scratch_c) : ByteView{};
      return CompareChoices(device, instruction, a, b(), c);
    }
    case Do::kUnwritten:
      return FindUnwritten(device, instruction, a, b(), before, stored);
    case Do::kWritten:
      return FindWritten(device, instruction, a, b(), before, stored);
    case Do::kChanged:
      return FindChanged(device, instruction, a, b());
    case Do::kDomain:
      return CheckDomain(device, instruction, a);
    case Do::kDigest:
      result.digest = HexText(device.DigestOf(a.data, a.bytes));
      result.count = a.bytes;
      return result;
    case Do::kBytes:
      result.bytes.resize(a.bytes);
      device.Fetch(result.bytes.data(), a.data, a.bytes);
      return result;
    default:
      throw EngineError(PARITY_FAILED, "unknown instruction " +
                                           std::to_string(static_cast<int>(instruction.what)));
  }
}

std::size_t Executor::CompareElementsFrom(const std::vector<Instruction>& script, std::size_t first,
                                          Results& results) {
  std::vector<ElementsAsked> asked;
  std::deque<RankMemory::Bytes> scratch;
  std::uint64_t gathered = 0;
  std::size_t i = first;
  for (; i < script.size() && script[i].what == Do::kElements && !script[i].tap; ++i) {
    if (gathered > kGatheredBytes) break;
    const Instruction& one = script[i];
    const ByteView a = memory_.Resolve(one.tensor, one.a, scratch.emplace_back());
    gathered += scratch.back().size();
    const ByteView b = memory_.Resolve(one.tensor, one.b, scratch.emplace_back());
    gathered += scratch.back().size();
    asked.push_back({&one, a, b});
  }
  std::vector<Result> found = CompareElements(memory_.device(), asked, results);
  std::move(found.begin(), found.end(), results.begin() + static_cast<std::ptrdiff_t>(first));
  return i - 1;
}

void Executor::Stage(const Step& step) {
  std::vector<parity_sequence> sequences;
  for (const Step::Sequence& from : step.sequences) {
    parity_sequence sequence{};
    sequence.struct_size = sizeof(sequence);
    sequence.slot = from.slot;
    sequence.past = from.past;
    sequence.rows = from.rows;
    sequence.pages = from.pages.empty() ? nullptr : from.pages.data();
    sequence.page_count = from.pages.size();
    sequences.push_back(sequence);
  }
  parity_step staged{};
  staged.struct_size = sizeof(staged);
  staged.program = step.program.c_str();
  staged.run = step.run.c_str();
  staged.rows = step.tokens.size();
  staged.tokens = step.tokens.data();
  staged.positions = step.positions.data();
  staged.sequence_count = sequences.size();
  staged.sequences = sequences.data();
  memory_.device().Synchronize();
  rank_.Stage(staged);
  memory_.SetStep(step);
  watch_.OnStage();
}

Result Executor::Run(const Instruction& instruction) {
  if (!watch_.watching()) watch_.MarkAllStale();
  Result result;
  Device& device = memory_.device();
  device.Synchronize();
  const auto begin = std::chrono::steady_clock::now();
  if (instruction.whole) {
    rank_.RunWhole(instruction.program, instruction.hi);
  } else {
    rank_.Run(instruction.program, instruction.lo, instruction.hi);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // An engine that swallows what its kernels came to does not get past this.
  device.Synchronize();
  return result;
}

void Executor::RunTapped(const std::vector<Instruction>& script, std::size_t at, Results& results) {
  watch_.MarkAllStale();
  const TapTable table(script, at);
  std::vector<bool> seen(table.taps().size(), false);
  memory_.device().Synchronize();
  rank_.RunTapped(
      script[at].program, table.taps(), [&](std::uint32_t tap, const parity_region& region) {
        if (tap >= seen.size()) {
          throw EngineError(PARITY_FAILED, "run_tapped: a callback for tap " + std::to_string(tap) +
                                               ", there are " + std::to_string(seen.size()));
        }
        if (seen[tap]) {
          throw EngineError(PARITY_FAILED,
                            "run_tapped: a second callback for " + TapText(table.taps()[tap]));
        }
        seen[tap] = true;
        for (const std::size_t i : table.InstructionsAt(tap)) {
          progress_.instruction = static_cast<std::uint32_t>(i + 1);
          memory_.BeginTap(script[i].tensor, region);
          results[i] = Execute(script[i], results);
          memory_.EndTap();
        }
        memory_.device().Synchronize();
        progress_.instruction = static_cast<std::uint32_t>(at + 1);
      });
  for (std::size_t tap = 0; tap < seen.size(); ++tap) {
    if (seen[tap]) continue;
    throw EngineError(PARITY_FAILED, "run_tapped: no callback for " + TapText(table.taps()[tap]));
  }
}

void Executor::FillPoison(const Instruction& instruction) {
  const TensorRef& tensor = instruction.tensor;
  watch_.MarkStale(tensor);
  memory_.Fill(tensor, PoisonOf(instruction, instruction.which, memory_.StoredDType(tensor)));
}

}  // namespace parity
