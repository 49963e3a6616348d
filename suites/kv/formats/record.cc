#include "suites/kv/formats/record.h"

#include <algorithm>
#include <set>

namespace parity::kv {
namespace {

// The first masked range that does not end at or before `offset`.
auto MaskFrom(const Record& record, std::uint64_t offset) {
  return std::partition_point(record.masked.begin(), record.masked.end(),
                              [&](const Range& range) { return range.end() <= offset; });
}

}  // namespace

const Problem* Record::Refusal() const {
  const auto found = std::find_if(problems.begin(), problems.end(), Refuses);
  return found == problems.end() ? nullptr : &*found;
}

bool Record::Has(ProblemKind kind) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return problem.kind == kind; });
}

const Field* Record::FindField(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

const Section* Record::FindSection(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

bool Record::IsMasked(std::uint64_t offset) const {
  const auto range = MaskFrom(*this, offset);
  return range != masked.end() && range->offset <= offset;
}

bool Record::IsMasked(const Field& field) const {
  if (field.bytes == 0) return false;
  for (std::uint64_t at = 0; at < field.bytes; ++at) {
    if (!IsMasked(field.offset + at)) return false;
  }
  return true;
}

void Record::Add(ProblemKind kind, std::string where, std::string words) {
  problems.push_back({kind, std::move(where), std::move(words)});
}

void Record::SortMask() {
  std::sort(masked.begin(), masked.end(),
            [](const Range& a, const Range& b) { return a.offset < b.offset; });
  std::vector<Range> apart;
  for (const Range& range : masked) {
    if (!apart.empty() && range.offset <= apart.back().end()) {
      apart.back().bytes = std::max(apart.back().end(), range.end()) - apart.back().offset;
    } else {
      apart.push_back(range);
    }
  }
  masked = std::move(apart);
}

std::vector<const Section*> LeafSections(const Record& record) {
  std::set<std::string_view> parents;
  for (const Section& section : record.sections) parents.insert(section.parent);
  std::vector<const Section*> leaves;
  for (const Section& section : record.sections) {
    if (parents.count(section.name) == 0) leaves.push_back(&section);
  }
  return leaves;
}

void AddGaps(Record* record) {
  std::vector<Range> covered = {{record->size, 0}};
  for (const Field& field : record->fields) covered.push_back({field.offset, field.bytes});
  for (const Section& section : record->sections)
    covered.push_back({section.offset, section.bytes});
  std::sort(covered.begin(), covered.end(),
            [](const Range& a, const Range& b) { return a.offset < b.offset; });
  std::uint64_t end = 0;
  int gaps = 0;
  for (const Range& range : covered) {
    if (range.offset > end) {
      record->sections.push_back({"gap[" + std::to_string(gaps++) + "]", end, range.offset - end});
    }
    end = std::max(end, range.end());
  }
}

void ApplyMask(const Record& record, std::uint64_t offset, std::span<std::uint8_t> bytes) {
  const std::uint64_t end = offset + bytes.size();
  for (auto range = MaskFrom(record, offset); range != record.masked.end(); ++range) {
    if (range->offset >= end) return;
    const std::uint64_t from = std::max(range->offset, offset), to = std::min(range->end(), end);
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from - offset),
              bytes.begin() + static_cast<std::ptrdiff_t>(to - offset), std::uint8_t{0});
  }
}

}  // namespace parity::kv
