#include "suites/kv/formats/record_reader.h"

#include "suites/kv/formats/byte_order.h"

namespace parity::kv {

std::optional<std::vector<std::uint8_t>> RecordReader::Take(Range range, const std::string& where,
                                                            ProblemKind missing) {
  // The size is asked before memory is: a range may claim any length.
  std::vector<std::uint8_t> taken;
  ReadResult result = ReadResult::kPastEnd;
  if (range.offset <= bytes_->size() && range.bytes <= bytes_->size() - range.offset) {
    taken.resize(range.bytes);
    result = bytes_->Read(range.offset, taken);
  }
  if (result == ReadResult::kOk) return taken;
  const std::string at = std::to_string(range.bytes) + " bytes at " + std::to_string(range.offset);
  if (result == ReadResult::kFailed) {
    record_->Add(ProblemKind::kUnreadable, where, at + " cannot be read");
  } else {
    record_->Add(missing, where,
                 "got a file of " + std::to_string(bytes_->size()) + " bytes, expected " + at);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> RecordReader::Peek(std::uint64_t offset, std::size_t width,
                                                const std::string& where, ProblemKind missing) {
  const auto bytes = Take({offset, width}, where, missing);
  if (!bytes) return std::nullopt;
  return LoadUnsigned(*bytes);
}

std::optional<std::uint64_t> RecordReader::Unsigned(const std::string& name, std::uint64_t offset,
                                                    std::size_t width, ProblemKind missing,
                                                    FieldRole role, const std::string& section) {
  const auto value = Peek(offset, width, name, missing);
  if (value) AddField({name, offset, width, *value, role, section});
  return value;
}

std::string HexOf(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace parity::kv
