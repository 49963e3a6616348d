#include "suites/kv/formats/compare_records.h"

#include <algorithm>
#include <map>
#include <set>

#include "suites/kv/formats/compare_sections.h"

namespace parity::kv {
namespace {

constexpr char kAbsent[] = "absent";

std::string ValueText(const Field& field) {
  std::string text = field.value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!field.meaning.empty()) text += " (" + field.meaning + ")";
  return text;
}

std::string ProblemsText(const Record& record) {
  std::string text;
  for (const Problem& problem : record.problems) {
    text += (text.empty() ? "" : ", ") + std::string(NameOf(problem.kind)) + " in " + problem.where;
  }
  return text.empty() ? "none" : text;
}

// Of the named things of both records, those of the reference first.
template <typename Thing>
std::vector<std::pair<const Thing*, const Thing*>> Paired(const std::vector<const Thing*>& left,
                                                          const std::vector<const Thing*>& right) {
  std::map<std::string_view, const Thing*> by_name;
  for (const Thing* thing : right) by_name.emplace(thing->name, thing);
  std::vector<std::pair<const Thing*, const Thing*>> pairs;
  for (const Thing* thing : left) {
    const auto found = by_name.find(thing->name);
    pairs.emplace_back(thing, found == by_name.end() ? nullptr : found->second);
    if (found != by_name.end()) by_name.erase(found);
  }
  for (const Thing* thing : right) {
    if (by_name.count(thing->name) > 0) pairs.emplace_back(nullptr, thing);
  }
  return pairs;
}

class Comparer {
 public:
  Comparer(ComparedRecord reference, ComparedRecord candidate)
      : reference_(reference), candidate_(candidate) {
    comparison_.reference_name = reference_.record->file_name;
    comparison_.candidate_name = candidate_.record->file_name;
  }

  RecordComparison Compare() {
    const Record &left = *reference_.record, &right = *candidate_.record;
    Tell("format", left.format, right.format);
    Tell("file name", left.file_name, right.file_name);
    Tell("size", std::to_string(left.size), std::to_string(right.size));
    Tell("problems", ProblemsText(left), ProblemsText(right));
    CompareFields();
    Digest();
    CompareLists();
    for (const auto& [one, other] : Paired(LeafSections(left), LeafSections(right))) {
      CompareSection(one, other);
    }
    return std::move(comparison_);
  }

 private:
  void Tell(const std::string& where, const std::string& reference, const std::string& candidate,
            std::string window = "") {
    if (reference == candidate) return;
    comparison_.differences.push_back({where, reference, candidate, std::move(window)});
  }

  static std::vector<const Field*> FieldsOf(const Record& record) {
    std::vector<const Field*> fields;
    for (const Field& field : record.fields) fields.push_back(&field);
    return fields;
  }

  void CompareFields() {
    const Record &left = *reference_.record, &right = *candidate_.record;
    for (const auto& [one, other] : Paired(FieldsOf(left), FieldsOf(right))) {
      if (one == nullptr || other == nullptr) {
        Tell((one != nullptr ? one : other)->name, one != nullptr ? ValueText(*one) : kAbsent,
             other != nullptr ? ValueText(*other) : kAbsent);
      } else if (one->value != other->value && !(left.IsMasked(*one) && right.IsMasked(*other))) {
        told_.push_back({one->offset, one->bytes});
        Tell(one->name, ValueText(*one), ValueText(*other), FieldWindow(*one, *other));
      }
    }
  }

  // Whole lines of the file where the field lies at one place, else the field alone.
  std::string FieldWindow(const Field& one, const Field& other) const {
    if (one.offset != other.offset) {
      return HexWindow(one.offset, WindowOf(reference_, {one.offset, one.bytes}),
                       WindowOf(candidate_, {other.offset, other.bytes}));
    }
    const std::uint64_t begin = one.offset / kWindowLineBytes * kWindowLineBytes;
    const std::uint64_t end = one.offset + std::max(one.bytes, other.bytes);
    const std::uint64_t lines = (end - begin + kWindowLineBytes - 1) / kWindowLineBytes;
    const Range range{begin, std::min<std::uint64_t>(lines, kMostWindowLines) * kWindowLineBytes};
    return HexWindow(begin, WindowOf(reference_, range), WindowOf(candidate_, range));
  }

  static std::vector<const Section*> Outermost(const Record& record) {
    std::vector<const Section*> outermost;
    for (const Section& section : record.sections) {
      if (section.parent.empty()) outermost.push_back(&section);
    }
    return outermost;
  }

  void Digest() {
    for (const auto& [one, other] :
         Paired(Outermost(*reference_.record), Outermost(*candidate_.record))) {
      SectionDigest digest{(one != nullptr ? one : other)->name};
      if (one != nullptr) {
        digest.reference_bytes = one->bytes;
        digest.reference_sha256 = MaskedSha256(reference_, {one->offset, one->bytes});
      }
      if (other != nullptr) {
        digest.candidate_bytes = other->bytes;
        digest.candidate_sha256 = MaskedSha256(candidate_, {other->offset, other->bytes});
      }
      comparison_.sections.push_back(std::move(digest));
    }
  }

  using Lists = std::map<std::string, std::vector<std::string>>;

  static Lists ListsOf(const ComparedRecord& side) {
    Lists lists;
    for (const Section& section : side.record->sections) {
      if (section.list.empty()) continue;
      lists[section.list].push_back(MaskedSha256(side, {section.offset, section.bytes}));
    }
    return lists;
  }

  // "0 2 1": where each of `hashes` stands in `order`, equal ones in turn.
  static std::string PlacesText(const std::vector<std::string>& hashes,
                                std::vector<std::string> order) {
    std::string text;
    for (const std::string& hash : hashes) {
      const auto found = std::find(order.begin(), order.end(), hash);
      text += (text.empty() ? "order " : " ") + std::to_string(found - order.begin());
      found->clear();
    }
    return text;
  }

  // What is only in another order is told once, and not byte by byte.
  void CompareLists() {
    const Lists left = ListsOf(reference_), right = ListsOf(candidate_);
    for (const auto& [name, hashes] : left) {
      const auto found = right.find(name);
      if (found == right.end() || hashes == found->second ||
          !std::is_permutation(hashes.begin(), hashes.end(), found->second.begin(),
                               found->second.end())) {
        continue;
      }
      permuted_.insert(name);
      Tell(name, PlacesText(hashes, hashes), PlacesText(found->second, hashes));
    }
  }

  void CompareSection(const Section* one, const Section* other) {
    if (one == nullptr || other == nullptr) {
      const Section& there = one != nullptr ? *one : *other;
      const std::string bytes = std::to_string(there.bytes) + " bytes";
      Tell(there.name, one != nullptr ? bytes : kAbsent, other != nullptr ? bytes : kAbsent);
      return;
    }
    if (permuted_.count(one->list) > 0) return;
    const Range left{one->offset, one->bytes}, right{other->offset, other->bytes};
    const auto found = CompareBytes(reference_, left, candidate_, right, told_);
    if (!found) {
      comparison_.differences.push_back({one->name, "could not be read on both sides", "", ""});
      return;
    }
    const std::uint64_t first = found->count > 0 ? found->first : std::min(left.bytes, right.bytes);
    if (found->count == 0 && left.bytes == right.bytes) return;
    const std::string count = ", " + std::to_string(found->count) + " of them different";
    comparison_.differences.push_back({one->name, std::to_string(left.bytes) + " bytes",
                                       std::to_string(right.bytes) + " bytes" + count,
                                       SectionWindow(left, right, first)});
  }

  // Labelled from the section's start: it may lie elsewhere on the other side.
  std::string SectionWindow(Range left, Range right, std::uint64_t first) const {
    const std::uint64_t begin = first / kWindowLineBytes * kWindowLineBytes;
    const auto part = [&](Range range) {
      const std::uint64_t from = std::min(begin, range.bytes);
      return Range{
          range.offset + from,
          std::min<std::uint64_t>(range.bytes - from, kMostWindowLines * kWindowLineBytes)};
    };
    return HexWindow(begin, WindowOf(reference_, part(left)), WindowOf(candidate_, part(right)));
  }

  const ComparedRecord reference_, candidate_;
  RecordComparison comparison_;
  std::vector<Range> told_;
  std::set<std::string> permuted_;
};

std::string Short(const std::string& hash) { return hash.empty() ? kAbsent : hash.substr(0, 16); }

}  // namespace

RecordComparison CompareRecords(ComparedRecord reference, ComparedRecord candidate) {
  return Comparer(reference, candidate).Compare();
}

std::string TextOf(const RecordComparison& comparison) {
  std::string text = "reference " + comparison.reference_name + ", candidate " +
                     comparison.candidate_name + ": " +
                     std::to_string(comparison.differences.size()) +
                     (comparison.differences.size() == 1 ? " difference\n" : " differences\n");
  for (const SectionDigest& section : comparison.sections) {
    const bool same = section.reference_sha256 == section.candidate_sha256;
    text += "  " + section.name + ": sha256 " + Short(section.reference_sha256) +
            (same ? " on both sides\n" : ", candidate " + Short(section.candidate_sha256) + "\n");
  }
  for (const RecordDifference& difference : comparison.differences) {
    text += difference.where + ": reference " + difference.reference + ", candidate " +
            difference.candidate + "\n";
    std::string line;
    for (const char c : difference.window) {
      line += c;
      if (c != '\n') continue;
      text += "    " + line;
      line.clear();
    }
  }
  return text;
}

}  // namespace parity::kv
