// Reads the fields of a record into it.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_READER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_READER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/kv/formats/record.h"
#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

class RecordReader {
 public:
  RecordReader(RecordBytes* bytes, Record* record) : bytes_(bytes), record_(record) {}

  RecordBytes* bytes() { return bytes_; }
  Record* record() { return record_; }

  // Nothing, with a problem, where the range is not there: `missing` if it lies outside, the file
  // being unreadable else.
  std::optional<std::vector<std::uint8_t>> Take(Range range, const std::string& where,
                                                ProblemKind missing);

  // A little-endian integer that becomes no field.
  std::optional<std::uint64_t> Peek(std::uint64_t offset, std::size_t width,
                                    const std::string& where, ProblemKind missing);

  // A little-endian integer, added as a field.
  std::optional<std::uint64_t> Unsigned(const std::string& name, std::uint64_t offset,
                                        std::size_t width, ProblemKind missing,
                                        FieldRole role = FieldRole::kPlain,
                                        const std::string& section = "");

  void AddField(Field field) { record_->fields.push_back(std::move(field)); }

 private:
  RecordBytes* bytes_;
  Record* record_;
};

// Lower-case hexadecimal digits.
std::string HexOf(std::span<const std::uint8_t> bytes);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_READER_H_
