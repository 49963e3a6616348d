#include "gtest_parity/replay/recording_budget.h"

#include <algorithm>

namespace parity {
namespace {

std::string KibibytesText(std::uint64_t bytes) { return std::to_string(bytes >> 10) + " KiB"; }

}  // namespace

RecordingBudget::RecordingBudget(const Manifest& manifest, Recording& recording)
    : manifest_(manifest),
      recording_(recording),
      first_spilled_(FirstSpilledPage(manifest.memory_budget_bytes)) {}

void RecordingBudget::Count(const std::vector<Script>& scripts,
                            const std::vector<Results>& results) {
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    for (std::size_t i = 0; i < results[rank].size(); ++i) {
      if (scripts[rank].instructions()[i].what != Do::kKeep) continue;
      recording_.bytes[rank] = std::max(recording_.bytes[rank], results[rank][i].count);
      CountSpilled(rank, results[rank][i]);
    }
  }
}

bool RecordingBudget::Exceeded(const std::vector<Results>& results) {
  return std::any_of(results.begin(), results.end(), [](const Results& rank) {
    return std::any_of(rank.begin(), rank.end(),
                       [](const Result& result) { return result.exhausted; });
  });
}

// Pages are handed out in ascending order: what lies beyond the last one known is new.
void RecordingBudget::CountSpilled(std::size_t rank, const Result& kept) {
  SpillCost& spilled = recording_.spilled[rank];
  const std::uint64_t known = first_spilled_ + spilled.bytes;
  std::uint64_t end = known;
  for (std::size_t i = 0; i < kept.image.pages.size(); ++i) {
    const std::uint64_t bytes = std::min(kPageBytes, kept.image.bytes - i * kPageBytes);
    end = std::max(end, kept.image.pages[i] + bytes);
  }
  if (end == known) return;
  spilled.bytes = end - first_spilled_;
  spilled.seconds += kept.seconds;
}

void RecordingBudget::Spend(const std::string& run) {
  if (spent_ && recording_.not_kept.back().starts_with(run)) return;
  spent_ = true;
  recording_.not_kept.push_back(
      run + " and later runs: the memory budget of " +
      KibibytesText(manifest_.memory_budget_bytes) + " per rank is spent" +
      (manifest_.spill ? ", and `spill` of " + KibibytesText(manifest_.spill->bytes) + " with it"
                       : ", and no `spill` is declared"));
}

}  // namespace parity
