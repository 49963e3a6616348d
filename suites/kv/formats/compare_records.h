// Whether two engines saved the same: two records of one format under the format's mask.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_RECORDS_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/kv/formats/record.h"
#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

struct ComparedRecord {
  RecordBytes* bytes = nullptr;
  const Record* record = nullptr;
};

struct RecordDifference {
  std::string where;                 // "tokens", "payload.layers", "file name"
  std::string reference, candidate;  // both values, in words
  std::string window;                // the bytes, where there are any: see HexWindow
};

// An outermost section on both sides; empty hashes where a side has none.
struct SectionDigest {
  std::string name;
  std::uint64_t reference_bytes = 0, candidate_bytes = 0;
  std::string reference_sha256, candidate_sha256;  // under the mask
};

struct RecordComparison {
  std::string reference_name, candidate_name;
  std::vector<SectionDigest> sections;
  std::vector<RecordDifference> differences;
  bool same() const { return differences.empty(); }
};

// A window shows this many lines from the first byte that differs.
inline constexpr std::size_t kMostWindowLines = 4;

// Compares format, file name, size, problems, fields, sections, and the order of lists.
RecordComparison CompareRecords(ComparedRecord reference, ComparedRecord candidate);

// For a person: the hashes, then each difference with both values and its window.
std::string TextOf(const RecordComparison& comparison);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_RECORDS_H_
