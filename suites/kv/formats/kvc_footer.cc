#include "suites/kv/formats/kvc_footer.h"

#include <algorithm>
#include <string_view>

namespace parity::kv {
namespace {

constexpr std::array<std::uint8_t, 4> kOpening = {'K', 'V', 'I', 1},
                                      kClosing = {'K', 'V', 'I', '!'};

}  // namespace

std::vector<std::uint8_t> EncodeKvcFooter(const KvcIdentity& identity) {
  std::vector<std::uint8_t> bytes(kKvcFooterBytes);
  const auto identity_at = std::copy(kOpening.begin(), kOpening.end(), bytes.begin());
  const auto closing_at = std::copy(identity.begin(), identity.end(), identity_at);
  std::copy(kClosing.begin(), kClosing.end(), closing_at);
  return bytes;
}

bool DecodeKvcFooter(Range rest, RecordReader* reader) {
  if (rest.bytes < kKvcFooterBytes) {
    reader->record()->Add(
        ProblemKind::kIdentityMissing, "footer",
        "got " + std::to_string(rest.bytes) + " bytes behind the payload, expected a footer of 40");
    return false;
  }
  const std::uint64_t at = rest.end() - kKvcFooterBytes;
  const auto bytes = reader->Take({at, kKvcFooterBytes}, "footer", ProblemKind::kTruncated);
  if (!bytes) return false;
  const std::span<const std::uint8_t> footer(*bytes);
  if (!std::equal(kOpening.begin(), kOpening.end(), footer.begin()) ||
      !std::equal(kClosing.begin(), kClosing.end(), footer.begin() + 36)) {
    reader->record()->Add(ProblemKind::kIdentityMissing, "footer",
                          "got " + HexOf(footer.first(4)) + " and " + HexOf(footer.last(4)) +
                              ", expected 4b564901 (KVI, 1) and 4b564921 (KVI!)");
    return false;
  }
  reader->record()->sections.push_back({"footer", at, kKvcFooterBytes});
  reader->AddField({"footer.opening", at, 4, HexOf(footer.first(4)), FieldRole::kMagic});
  reader->AddField({"footer.identity", at + 4, 32, HexOf(footer.subspan(4, 32))});
  reader->AddField({"footer.closing", at + 36, 4, HexOf(footer.last(4)), FieldRole::kMagic});
  return true;
}

std::optional<Problem> CheckKvcIdentity(const Record& record, const KvcIdentity& identity) {
  const Field* field = record.FindField("footer.identity");
  if (field == nullptr) {
    return Problem{ProblemKind::kIdentityMissing, "footer",
                   "got no identity, expected " + HexOf(identity)};
  }
  if (field->value == HexOf(identity)) return std::nullopt;
  return Problem{ProblemKind::kIdentityMismatch, field->name,
                 "got " + field->value.get<std::string>() + ", expected " + HexOf(identity)};
}

}  // namespace parity::kv
