#include "suites/kv/examine.h"

#include <algorithm>

#include "suites/kv/formats/compare_records.h"

namespace parity::kv {
namespace {

using nlohmann::json;

// What differs only because sums were taken in another order is judged by loading it.
bool IsPayload(const std::string& where) { return where.starts_with("payload"); }

// "stream[0]" is of "stream[0].k[0].rows" too.
bool IsBelow(const std::string& where, const std::string& name) {
  if (!where.starts_with(name)) return false;
  return where.size() == name.size() || where[name.size()] == '.' || where[name.size()] == '[';
}

// What the lane declares to differ must.
void ExpectDiffering(const std::vector<std::string>& differs, const RecordComparison& comparison,
                     Checked& checked) {
  for (const std::string& name : differs) {
    const bool does = std::any_of(
        comparison.differences.begin(), comparison.differences.end(),
        [&](const RecordDifference& difference) { return IsBelow(difference.where, name); });
    checked.Expect(does, "record: " + name + " does not differ",
                   Got(name, "the same as the reference saved", "another, as the lane declares"));
  }
}

void CompareWithReference(const Cell& cell, const Rules& rules, Checked& checked) {
  const RecordFile& mine = cell.saved->record;
  const RecordFile& theirs = cell.reference_saved->record;
  const RecordComparison comparison =
      CompareRecords({theirs.bytes.get(), &theirs.record}, {mine.bytes.get(), &mine.record});
  for (const SectionDigest& section : comparison.sections) {
    ++checked.compared;
    checked.properties.emplace_back(section.name + "_sha256", section.candidate_sha256);
  }
  const std::vector<std::string>& differs = cell.lane->records.differs;
  ExpectDiffering(differs, comparison, checked);
  for (const RecordDifference& difference : comparison.differences) {
    if (!rules.exact && IsPayload(difference.where)) continue;
    const bool declared = std::any_of(differs.begin(), differs.end(), [&](const std::string& name) {
      return IsBelow(difference.where, name);
    });
    if (declared) continue;
    checked.Expect(false, "record: " + difference.where,
                   Got(difference.where, difference.candidate, difference.reference) +
                       " as the reference saved it" +
                       (difference.window.empty() ? "" : "\n" + difference.window));
  }
}

// What happened to the store while it was saved, request by request.
void CompareEvents(const Cell& cell, Checked& checked) {
  const std::vector<Answer>&mine = cell.saved->answers, &theirs = cell.reference_saved->answers;
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    if (!mine[i].Tells("events") || !theirs[i].Tells("events")) continue;
    checked.Expect(mine[i].events == theirs[i].events, "record: events",
                   Got("events of request " + std::to_string(i), ListOf(mine[i].events),
                       ListOf(theirs[i].events)) +
                       " as the reference");
  }
}

void ExamineSaved(const Cell& cell, const Rules& rules, Checked& checked) {
  const Lane& lane = *cell.lane;
  const Saved& saved = *cell.saved;
  checked.Expect(saved.HasRecord(), "record: none to load",
                 Got("records to load", saved.fit.size(), 1));
  checked.Expect(saved.files.size() == lane.records.count,
                 "record: " + std::to_string(saved.files.size()) + " files",
                 Got("files in the folder", saved.files.size(), lane.records.count));
  if (!saved.HasRecord()) return;
  const Record& record = saved.record.record;
  const Problem* refusal = record.Refusal();
  checked.Expect(refusal == nullptr,
                 refusal == nullptr ? "" : "record: " + std::string(InfoOf(refusal->kind).id),
                 refusal == nullptr ? "" : saved.fit.front() + ": " + TextOf(*refusal));
  for (const auto& [name, value] : lane.records.fields.items()) {
    const Field* field = record.FindField(name);
    const json got = field == nullptr ? json() : field->value;
    checked.Expect(got == value, "record: " + name, Got(name, got.dump(), value.dump()));
  }
  if (!cell.key.saver_reference && cell.reference_saved->HasRecord()) {
    CompareWithReference(cell, rules, checked);
  }
}

}  // namespace

Checked ExamineRecord(const Cell& cell, const Rules& rules) {
  Checked checked;
  ExamineSaved(cell, rules, checked);
  if (!cell.key.saver_reference) CompareEvents(cell, checked);
  return checked;
}

}  // namespace parity::kv
