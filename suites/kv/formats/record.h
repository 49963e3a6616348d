// What a record comes to once it is decoded, whatever its format.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "suites/kv/formats/problem.h"
#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

// What a field is for: mutations damage each kind in its own way.
enum class FieldRole { kPlain, kMagic, kVersion, kAbi, kCount, kLength };

struct Field {
  std::string name;  // "tokens", "trailer[0].id"
  std::uint64_t offset = 0, bytes = 0;
  nlohmann::json value;  // integer, number, text, or the bytes as lower-case hexadecimal
  FieldRole role = FieldRole::kPlain;
  std::string section;      // whose length it gives, where the role is kLength
  std::string meaning;      // of the value, where it has a name: "evict"
  bool big_endian = false;  // of an integer
};

struct Section {
  std::string name;  // "payload.token_ids"
  std::uint64_t offset = 0, bytes = 0;
  std::string parent = {};  // the section that it is part of
  std::string list = {};    // sections of one list are also compared by their order
};

struct Record {
  std::string format, file_name;
  std::uint64_t size = 0;  // of the file
  bool name_is_derived = false;
  std::vector<Field> fields;
  std::vector<Section> sections;
  std::vector<Range> masked;  // differs between two runs of one engine; ascending, apart
  std::vector<Problem> problems;

  // The first problem that makes a reader refuse it; null if it would be loaded.
  const Problem* Refusal() const;
  bool Has(ProblemKind kind) const;
  const Field* FindField(std::string_view name) const;
  const Section* FindSection(std::string_view name) const;
  bool IsMasked(std::uint64_t offset) const;
  bool IsMasked(const Field& field) const;  // every byte of it

  void Add(ProblemKind kind, std::string where, std::string words);
  // Puts ranges that came in any order, and over one another, into the order of `masked`.
  void SortMask();
};

// Parts that lie in no other's: leaves of the tree of sections. Together with the fields that lie
// in none of them they are the file.
std::vector<const Section*> LeafSections(const Record& record);

// Makes every stretch of the file that neither a field nor a section covers a section "gap[i]":
// what nothing describes is compared all the same.
void AddGaps(Record* record);

// Zeroes what the mask covers of `bytes`, which begin at `offset` in the file.
void ApplyMask(const Record& record, std::uint64_t offset, std::span<std::uint8_t> bytes);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_H_
