#include "suites/kv/cell.h"

#include <algorithm>

#include "gtest_parity/judge/number_text.h"
#include "suites/kv/formats/compare_records.h"

namespace parity::kv {
namespace {

using nlohmann::json;

std::string Got(const std::string& what, const std::string& got, const std::string& expected) {
  return what + ": got " + got + ", expected " + expected;
}

std::string Got(const std::string& what, std::uint64_t got, std::uint64_t expected) {
  return Got(what, std::to_string(got), std::to_string(expected));
}

// What differs only because sums were taken in another order is judged by loading it.
bool IsPayload(const std::string& where) { return where.starts_with("payload"); }

void CompareWithReference(const Cell& cell, const Rules& rules, Checked& checked) {
  const RecordFile& mine = cell.saved->record;
  const RecordFile& theirs = cell.reference_saved->record;
  const RecordComparison comparison =
      CompareRecords({theirs.bytes.get(), &theirs.record}, {mine.bytes.get(), &mine.record});
  for (const SectionDigest& section : comparison.sections) {
    ++checked.compared;
    checked.properties.emplace_back(section.name + "_sha256", section.candidate_sha256);
  }
  for (const RecordDifference& difference : comparison.differences) {
    if (!rules.exact && IsPayload(difference.where)) continue;
    checked.Expect(false, "record: " + difference.where,
                   Got(difference.where, difference.candidate, difference.reference) +
                       " as the reference saved it" +
                       (difference.window.empty() ? "" : "\n" + difference.window));
  }
}

Checked ExamineRecord(const Cell& cell, const Rules& rules) {
  Checked checked;
  const Lane& lane = *cell.lane;
  const Saved& saved = *cell.saved;
  checked.Expect(saved.HasRecord(), "record: none to load",
                 Got("records to load", saved.fit.size(), 1));
  checked.Expect(saved.files.size() == lane.records.count,
                 "record: " + std::to_string(saved.files.size()) + " files",
                 Got("files in the folder", saved.files.size(), lane.records.count));
  if (!saved.HasRecord()) return checked;
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
  return checked;
}

Checked ExamineAccepted(const Cell& cell) {
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  std::string why;
  for (const std::string& refusal : answer.refusals) why += (why.empty() ? "" : ", ") + refusal;
  if (expected.refused) {
    checked.Expect(!why.empty(), "accepted: not refused", Got("refusals", "none", "at least one"));
  } else {
    checked.Expect(why.empty(), "accepted: refused " + why, "the record was refused: " + why);
  }
  if (expected.miss || expected.refused) {
    checked.Expect(answer.restored_key.empty(), "accepted: taken up",
                   Got("restored", answer.restored_key, "nothing"));
    return checked;
  }
  const std::string& name = cell.saved->fit.front();
  const std::string key = name.substr(0, name.find('.'));
  checked.Expect(
      answer.restored_key == key, "accepted: not taken up",
      Got("restored", answer.restored_key.empty() ? "nothing" : answer.restored_key, key));
  checked.Expect(answer.hits == 1, "accepted: hit " + std::to_string(answer.hits) + " times",
                 Got("hits", answer.hits, 1));
  return checked;
}

// What the engine counts of one request has moved by what it answers.
void ExpectCounters(const Loaded& warm, Checked& checked) {
  for (const auto& [name, moved] : {std::pair{"prefill_computed", warm.answer.computed},
                                    {"prefill_cached", warm.answer.cached},
                                    {"decoded", warm.answer.output}}) {
    if (!warm.counters_after.contains(name)) continue;
    const auto delta = warm.counters_after.at(name).get<std::uint64_t>() -
                       warm.counters_before.value(name, std::uint64_t{0});
    checked.Expect(delta == moved, std::string("reuse: counter ") + name,
                   Got(std::string("counter ") + name + " moved by", delta, moved));
  }
}

Checked ExamineReuse(const Cell& cell) {
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const Answer& cold = cell.cold->answer;
  const ExpectedAnswer& expected = cell.lane->answer;
  const Answer& own = cell.reference_warm->answer;
  const bool nothing = expected.miss || expected.refused;
  checked.Expect(answer.cached + answer.computed == answer.prompt, "reuse: counts do not add up",
                 Got("cached + computed", answer.cached + answer.computed, answer.prompt));
  checked.Expect(nothing == (answer.cached == 0),
                 nothing ? "reuse: cached above 0" : "reuse: cached 0",
                 Got("cached", std::to_string(answer.cached), nothing ? "0" : "above 0"));
  const auto count = [&](const char* name, std::uint64_t got, std::uint64_t wanted) {
    checked.Expect(got == wanted, std::string("reuse: ") + name, Got(name, got, wanted));
  };
  count("prompt", answer.prompt, expected.prompt.value_or(own.prompt));
  count("cached", answer.cached, expected.cached.value_or(own.cached));
  count("computed", answer.computed, expected.computed.value_or(own.computed));
  count("output", answer.output, expected.output.value_or(own.output));
  // A prefill that is said to be skipped and runs all the same shows in the rows that ran.
  count("rows skipped", cold.rows - std::min(cold.rows, answer.rows), answer.cached);
  if (!nothing) {
    checked.Expect(answer.ops <= cold.ops, "reuse: ops",
                   Got("ops that ran", std::to_string(answer.ops),
                       "no more than without the record, " + std::to_string(cold.ops)));
  }
  const json route = expected.route.is_null() ? own.route : expected.route;
  checked.Expect(answer.route == route, "reuse: route",
                 Got("route", answer.route.dump(), route.dump()));
  ExpectCounters(*cell.warm, checked);
  return checked;
}

std::string ApartText(const Continuation& apart) {
  std::string text = std::to_string(apart.rows) +
                     " rows: " + std::to_string(apart.elements.different) + " of " +
                     std::to_string(apart.elements.compared) + " logits differ, KL " +
                     ShortText(apart.worst_kl) + " nats in row " + std::to_string(apart.worst_row);
  if (apart.first_apart) text += ", ids from " + std::to_string(*apart.first_apart) + " on";
  return text;
}

Checked ExamineContinuation(const Cell& cell, const Rules& rules) {
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const Continuation apart = CompareContinuations(cell.cold->generated, cell.warm->generated);
  const Continuation own =
      CompareContinuations(cell.reference_cold->generated, cell.reference_warm->generated);
  checked.properties.emplace_back("kl", NumberText(apart.worst_kl));
  checked.Expect(apart.rows != 0, "continuation: nothing to compare",
                 Got("rows of logits", apart.rows, answer.output));
  // Another engine's state, saved where sums are taken in another order, is within the limit of an
  // engine that takes them so; its own is held to what the reference's own repeats.
  const bool crossed = cell.key.saver_reference != cell.key.loader_reference;
  double allowed = own.Identical() ? 0 : rules.spread_factor * rules.spread_factor * own.worst_kl;
  std::string from = own.Identical() ? "the reference repeats its own bit for bit"
                                     : "the reference's own warm and cold runs";
  if (crossed && !rules.exact && rules.kl_limit > allowed) {
    allowed = rules.kl_limit;
    from = "judge.kl, as the state is another engine's";
  }
  if (cell.key.IsOwnCheck()) {
    checked.Expect(own.worst_kl <= rules.kl_limit, "continuation: no spread",
                   ApartText(own) + ": warm and cold are not the same thing, allowed judge.kl, " +
                       ShortText(rules.kl_limit));
  }
  const bool holds = allowed == 0 ? apart.Identical() : apart.worst_kl <= allowed;
  checked.Expect(holds, "continuation: logits",
                 ApartText(apart) + ", allowed KL " + ShortText(allowed) + " (" + from + ")");
  if (allowed == 0) {
    checked.Expect(!apart.first_apart, "continuation: ids", ApartText(apart));
  }
  const std::string finish =
      cell.lane->answer.finish.empty() ? cell.cold->answer.finish : cell.lane->answer.finish;
  checked.Expect(answer.finish == finish, "continuation: finish",
                 Got("finish", answer.finish, finish));
  return checked;
}

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
  const std::uint64_t hits = CountIn(before.record, "hits") + cell.warm->hits;
  checked.Expect(CountIn(after, "hits") == hits, "files: hits",
                 Got("hits after the load", CountIn(after, "hits"), hits));
  checked.Expect(CountIn(after, "last_used") >= CountIn(after, "created"), "files: last_used",
                 Got("last_used", std::to_string(CountIn(after, "last_used")),
                     "at least created, " + std::to_string(CountIn(after, "created"))));
}

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
  const RecordAfter expected = cell.lane->after;
  if (expected == RecordAfter::kConsumed) {
    checked.Expect(!there, "files: not consumed", Got(name, "there", "consumed"));
    return checked;
  }
  checked.Expect(there, "files: gone", Got(name, "gone", "kept"));
  if (!there) return checked;
  if (expected == RecordAfter::kTouched) {
    ExpectTouched(cell, name, checked);
  } else {
    checked.Expect(after.at(name).sha256 == before.at(name).sha256, "files: written",
                   Got(name, "other bytes", "not a byte changed"));
  }
  return checked;
}

}  // namespace

std::string_view NameOf(Check check) {
  constexpr std::array<std::string_view, kAllChecks.size()> names = {"record", "accepted", "reuse",
                                                                     "continuation", "files"};
  return names[static_cast<std::size_t>(check)];
}

std::string CellKey::Text() const {
  const auto name = [](bool reference) { return reference ? "reference" : "candidate"; };
  return std::string(name(saver_reference)) + "_to_" + name(loader_reference);
}

void Checked::Expect(bool holds, const std::string& signature, const std::string& words) {
  ++compared;
  if (!holds) findings.push_back({signature, words});
}

Checked Examine(Check check, const Cell& cell, const Rules& rules) {
  switch (check) {
    case Check::kRecord:
      return ExamineRecord(cell, rules);
    case Check::kAccepted:
      return ExamineAccepted(cell);
    case Check::kReuse:
      return ExamineReuse(cell);
    case Check::kContinuation:
      return ExamineContinuation(cell, rules);
    case Check::kFiles:
      return ExamineFiles(cell);
  }
  return {};
}

}  // namespace parity::kv
