// What a session tells a person at its end.
#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

#include "gtest_parity/session/session.h"

namespace parity {

std::string Session::SecondsText() const {
  const StageSeconds& reference = recording_.seconds;
  const std::pair<const char*, double> stages[] = {{"load reference", reference.load},
                                                   {"record and spread", reference.record},
                                                   {"repeat workload", reference.end_to_end},
                                                   {"load candidate", candidate_load_seconds_},
                                                   {"replay", replay_seconds_},
                                                   {"free run", free_run_seconds_}};
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  for (const auto& [stage, seconds] : stages) {
    text << (stage == stages[0].first ? "" : ", ") << stage << " " << seconds << " s";
    if (reference.workload > 0) text << " (" << seconds / reference.workload << "x)";
  }
  if (options_.recorded) text << "; the reference's are those of its recording";
  if (reference.workload > 0) text << "; 1x is the bare workload, " << reference.workload << " s";
  return text.str();
}

std::string Session::RecordedText() const {
  if (options_.recorded && memory_ == nullptr) return options_.recorded->path + ": not read";
  if (inquiry_) return "asked for every selected case";
  std::uint64_t bytes = 0;
  for (const std::uint64_t rank : recording_.bytes) bytes = std::max(bytes, rank);
  std::set<std::size_t> runs;
  for (const std::vector<KeptSpan>& kept : recording_.spans) {
    for (const KeptSpan& span : kept) runs.insert(span.run);
  }
  const std::string from =
      options_.recorded ? "read from " + options_.recorded->path + ", " : std::string();
  return from + (options_.recorded ? options_.recorded->Text() + ": " : "recorded ") +
         std::to_string(bytes >> 10) + " KiB per rank of a budget of " +
         std::to_string(plan_.manifest.memory_budget_bytes >> 10) + " KiB, spans in " +
         std::to_string(runs.size()) + " of " + std::to_string(workload_.runs.size()) + " runs";
}

std::string Session::InOrderText() const {
  std::string why;
  const auto add = [&why](bool holds, const char* text) {
    if (holds) why += (why.empty() ? "" : ", ") + std::string(text);
  };
  add(plan_.candidate.sequential, "the candidate is sequential");
  add(plan_.candidate.tap_only, "the candidate is tap-only");
  add(plan_.reference.tap_only, "the reference is tap-only");
  return "spans were replayed in order, from the start of each scenario: " + why + "; " +
         std::to_string(in_order_->runs) + " runs in " + std::to_string(in_order_->scenarios) +
         " scenarios served " + std::to_string(in_order_->spans.size()) + " spans";
}

std::vector<std::string> Session::Notes() const {
  std::vector<std::string> notes;
  if (!inquiry_) notes.push_back(RecordedText());
  if (const RecordedReference* reference = recorded(); reference != nullptr && reference->golden) {
    notes.push_back(reference->GoldenText(plan_.manifest));
  }
  for (std::size_t rank = 0; rank < recording_.spilled.size(); ++rank) {
    const SpillCost& spilled = recording_.spilled[rank];
    if (spilled.bytes == 0) continue;
    std::ostringstream note;
    note << "rank " << rank << " spilled " << (spilled.bytes >> 10) << " KiB";
    if (plan_.manifest.spill && !options_.recorded) note << " to " << plan_.manifest.spill->folder;
    note << ", beyond the memory budget: written in " << std::fixed << std::setprecision(2)
         << spilled.seconds << " s";
    notes.push_back(note.str());
  }
  if (!written_.empty()) notes.push_back(written_);
  const auto recomputed =
      std::count_if(span_evidence_.begin(), span_evidence_.end(),
                    [](const auto& evidence) { return !evidence.second.recomputed.empty(); });
  if (recomputed != 0) {
    notes.push_back(std::to_string(recomputed) +
                    (recomputed == 1 ? " comparison" : " comparisons") +
                    " computed again by the judge from copied bytes, with equal results");
  }
  if (inquiry_) {
    for (std::string& note : inquiry_->Notes()) notes.push_back(std::move(note));
  }
  notes.insert(notes.end(), recording_.not_kept.begin(), recording_.not_kept.end());
  if (memory_) notes.insert(notes.end(), memory_->notes().begin(), memory_->notes().end());
  if (in_order_) notes.push_back(InOrderText());
  std::string unavailable;
  for (const std::string& check : UnavailableChecks(plan_)) {
    unavailable += (unavailable.empty() ? "" : ", ") + check;
  }
  if (!unavailable.empty()) {
    notes.push_back("not available with these sides, and not claimed: " + unavailable);
  }
  return notes;
}

}  // namespace parity
