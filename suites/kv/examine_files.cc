#include "suites/kv/examine.h"

#include "suites/kv/formats/compare_records.h"

namespace parity::kv {
namespace {

std::uint64_t CountIn(const Record& record, const char* name) {
  const Field* field = record.FindField(name);
  return field == nullptr ? 0 : field->value.get<std::uint64_t>();
}

// Under the mask not a byte, and as many hits more as there were.
void ExpectTouched(const Cell& cell, const std::string& name, Checked& checked) {
  const std::string& bytes = cell.warm->record_after;
  MemoryBytes after_bytes(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  const Record after = cell.format->Decode(&after_bytes, name);
  const RecordFile& before = cell.saved->record;
  const RecordComparison comparison =
      CompareRecords({before.bytes.get(), &before.record}, {&after_bytes, &after});
  for (const RecordDifference& difference : comparison.differences) {
    checked.Expect(
        false, "files: " + difference.where,
        Got(difference.where + " after the load", difference.candidate, difference.reference));
  }
  if (before.record.FindField("hits") == nullptr) return;
  if (cell.warm->hits_told) {
    const std::uint64_t hits = CountIn(before.record, "hits") + cell.warm->hits;
    checked.Expect(CountIn(after, "hits") == hits, "files: hits",
                   Got("hits after the load", CountIn(after, "hits"), hits));
  } else {
    checked.properties.emplace_back("hits", "not told by the server");
  }
  checked.Expect(CountIn(after, "last_used") >= CountIn(after, "created"), "files: last_used",
                 Got("last_used", std::to_string(CountIn(after, "last_used")),
                     "at least created, " + std::to_string(CountIn(after, "created"))));
}

}  // namespace

Checked ExamineFiles(const Cell& cell) {
  Checked checked;
  const std::string& name = cell.saved->fit.front();
  const FolderState &before = cell.warm->before, &after = cell.warm->after;
  std::uint64_t added = 0;
  std::string names;
  for (const auto& [file, state] : after) {
    if (before.contains(file)) continue;
    ++added;
    names += " " + file;
  }
  checked.Expect(added == cell.lane->stores, "files: " + std::to_string(added) + " new",
                 Got("new files", added, cell.lane->stores) + names);
  const bool there = after.contains(name);
  const RecordAfter expected = cell.IsDeclinedAlone() ? RecordAfter::kUntouched : cell.lane->after;
  if (expected == RecordAfter::kConsumed) {
    checked.Expect(!there, "files: not consumed", Got(name, "there", "consumed"));
    return checked;
  }
  checked.Expect(there, "files: gone", Got(name, "gone", "kept"));
  if (!there) return checked;
  if (expected == RecordAfter::kTouched) {
    ExpectTouched(cell, name, checked);
  } else {
    checked.Expect(after.at(name).digest == before.at(name).digest, "files: written",
                   Got(name, "other bytes", "not a byte changed"));
  }
  return checked;
}

}  // namespace parity::kv
