#include "gtest_parity/engines/tiny/ported/kv/record_reader.h"

#include <system_error>
#include <utility>

#include "gtest_parity/engines/tiny/ported/kv/refusal.h"
#include "gtest_parity/engines/tiny/ported/kv/tool_trailer.h"

namespace parity::tiny::ported {
namespace {

constexpr std::size_t kFooterBytes = 40;

}  // namespace

std::optional<RecordReader> RecordReader::Open(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return std::nullopt;
  std::string front(kHeaderBytes, '\0');
  Expect(static_cast<bool>(in.read(front.data(), kHeaderBytes)), "invalid_header");
  return RecordReader(std::move(in), bytes, RecordHeader::Parse(front));
}

void RecordReader::Seek(std::uint64_t at) {
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(at));
}

std::string RecordReader::Text() {
  Expect(file_bytes_ >= header_.PayloadAt(), "truncated_text");
  Seek(kHeaderBytes);
  std::string text(header_.text_bytes, '\0');
  Expect(static_cast<bool>(in_.read(text.data(), static_cast<std::streamsize>(text.size()))),
         "truncated_text");
  return text;
}

void RecordReader::CheckIdentity(const std::string& identity, bool required) {
  Expect(IsWhole(), "truncated_payload");
  if (!header_.Has(kExtIdentity)) return Expect(!required, "identity_missing");
  Expect(file_bytes_ - header_.TrailerAt() >= kFooterBytes, "identity_mismatch");
  Seek(file_bytes_ - kFooterBytes);
  std::string footer(kFooterBytes, '\0');
  Expect(static_cast<bool>(in_.read(footer.data(), kFooterBytes)), "identity_mismatch");
  Expect(footer == IdentityFooter(identity), "identity_mismatch");
}

void RecordReader::Payload(const SessionPayload& payload, KvSnapshot& snapshot) {
  Seek(header_.PayloadAt());
  const bool with_logits = FamilyOf(header_.reason) != Family::kBank;
  payload.Read(in_, header_.payload_bytes, with_logits, snapshot);
  Expect(snapshot.tokens.size() == header_.tokens, "token_count");
}

std::vector<ToolBlock> RecordReader::ToolBlocks() {
  if (!header_.Has(kExtToolMap) || !IsWhole()) return {};
  const std::uint64_t behind = file_bytes_ - header_.TrailerAt();
  const std::uint64_t footer = header_.Has(kExtIdentity) ? kFooterBytes : 0;
  Seek(header_.TrailerAt());
  return DecodeTrailer(in_, behind - std::min(behind, footer));
}

std::string IdentityFooter(const std::string& identity) {
  return std::string("KVI\x01", 4) + identity + "KVI!";
}

}  // namespace parity::tiny::ported
