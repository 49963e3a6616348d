#include "suites/kv/formats/llama_cursor.h"

#include "suites/kv/formats/checked.h"
#include "suites/kv/formats/llama_state.h"

namespace parity::kv {

std::optional<std::uint64_t> LlamaCursor::Next(const std::string& name, std::size_t width,
                                               FieldRole role, const std::string& section) {
  const auto value = reader_->Unsigned(name, at_, width, ProblemKind::kTruncated, role, section);
  if (value) at_ += width;
  return value;
}

bool LlamaCursor::Section(const std::string& name, std::uint64_t count, std::uint64_t each) {
  const auto bytes = CheckedProduct(count, each);
  if (!bytes || *bytes > left()) {
    const std::string product = std::to_string(count) + " x " + std::to_string(each);
    record()->Add(bytes ? ProblemKind::kTruncated : ProblemKind::kSizeOverflow, name,
                  "got " + std::to_string(left()) + " bytes, expected " + product +
                      (bytes ? "" : ", which does not fit 64 bits"));
    return false;
  }
  record()->sections.push_back({name, at_, *bytes});
  at_ += *bytes;
  return true;
}

bool LlamaCursor::Cells(const std::string& name, std::uint64_t count) {
  constexpr std::uint64_t kLeastBytes = 8;
  std::uint64_t bytes = 0;
  if (count > left() / kLeastBytes) return Section(name, count, kLeastBytes);
  if (count > kLlamaMostCells) {
    record()->Add(
        ProblemKind::kNotChecked, name,
        std::to_string(count) + " cells, read are at most " + std::to_string(kLlamaMostCells));
    return false;
  }
  for (std::uint64_t cell = 0; cell < count; ++cell) {
    const auto ids = reader_->Peek(at_ + bytes + 4, 4, name, ProblemKind::kTruncated);
    if (!ids) return false;
    bytes += kLeastBytes + 4 * *ids;
    if (bytes > left()) break;
  }
  return Section(name, bytes);
}

void LlamaCursor::Rest() {
  if (left() > 0) record()->sections.push_back({"rest", at_, left()});
  at_ += left();
}

}  // namespace parity::kv
