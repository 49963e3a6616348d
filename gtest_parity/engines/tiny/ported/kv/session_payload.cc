#include "gtest_parity/engines/tiny/ported/kv/session_payload.h"

#include <array>
#include <bit>
#include <istream>
#include <ostream>
#include <string>

#include "gtest_parity/engines/tiny/ported/kv/bytes.h"
#include "gtest_parity/engines/tiny/ported/kv/refusal.h"

namespace parity::tiny::ported {
namespace {

constexpr std::size_t kWordCount = 13;
constexpr std::uint32_t kMagic = 'D' | 'S' << 8 | 'V' << 16 | '4' << 24;
constexpr std::uint32_t kLayout = 'T' | 'N' << 8 | 'Y' << 16 | '1' << 24;
constexpr std::uint32_t kNewest = 3;

// The thirteen words, by name.
struct Preamble {
  std::uint32_t magic, version, context, chunk, positions, layout, element_bytes, tokens, layers,
      head_dim, kv_heads, vocabulary, rows;

  static Preamble Of(const KvShape& shape, std::uint32_t tokens) {
    return {kMagic,          kNewest,        shape.context,       shape.chunk,
            shape.positions, kLayout,        shape.element_bytes, tokens,
            shape.layers,    shape.head_dim, shape.kv_heads,      shape.vocabulary,
            tokens};
  }
  using Words = std::array<std::uint32_t, kWordCount>;
  Words AsWords() const { return std::bit_cast<Words>(*this); }
  static Preamble From(const Words& words) { return std::bit_cast<Preamble>(words); }

  void Check(const KvShape& shape) const {
    Expect(magic == kMagic, "unknown_payload");
    Expect(version >= 1 && version <= kNewest, "payload_version");
    Expect(layout == kLayout, "other_family");
    Expect(context <= shape.context, "exceeds_context");
    Expect(element_bytes == shape.element_bytes, "other_kv_type");
    const Preamble ours = Of(shape, tokens);
    Expect(chunk == ours.chunk && positions == ours.positions && layers == ours.layers &&
               head_dim == ours.head_dim && kv_heads == ours.kv_heads &&
               vocabulary == ours.vocabulary,
           "other_shape");
    Expect(tokens == rows, "row_count");
    Expect(tokens < context, "exceeds_context");
  }
};

std::string ReadExactly(std::istream& in, std::uint64_t bytes) {
  std::string raw(bytes, '\0');
  Expect(static_cast<bool>(in.read(raw.data(), static_cast<std::streamsize>(bytes))),
         "truncated_payload");
  return raw;
}

}  // namespace

std::uint64_t SessionPayload::Size(std::uint64_t tokens, bool with_logits) const {
  const std::uint64_t logits = with_logits ? shape_.vocabulary : 0;
  return sizeof(Preamble) + sizeof(std::uint32_t) * (tokens + logits) +
         tokens * shape_.TokenBytes();
}

void SessionPayload::Write(const KvSnapshot& snapshot, std::ostream& out) const {
  std::string front;
  const Preamble preamble =
      Preamble::Of(shape_, static_cast<std::uint32_t>(snapshot.tokens.size()));
  for (const std::uint32_t word : preamble.AsWords()) Append(front, word);
  for (const std::int32_t token : snapshot.tokens) {
    Append(front, static_cast<std::uint32_t>(token));
  }
  for (const float logit : snapshot.logits) Append(front, std::bit_cast<std::uint32_t>(logit));
  out << front;
  out.write(reinterpret_cast<const char*>(snapshot.rows.data()),
            static_cast<std::streamsize>(snapshot.rows.size()));
}

void SessionPayload::Read(std::istream& in, std::uint64_t size, bool with_logits,
                          KvSnapshot& snapshot) const {
  Expect(size >= sizeof(Preamble), "truncated_payload");
  const std::string front = ReadExactly(in, sizeof(Preamble));
  Preamble::Words words{};
  for (std::size_t i = 0; i < kWordCount; ++i) words[i] = NumberAt<std::uint32_t>(front, 4 * i);
  const Preamble preamble = Preamble::From(words);
  preamble.Check(shape_);
  const std::uint64_t expected = Size(preamble.tokens, with_logits);
  Expect(size >= expected, "truncated_payload");
  Expect(size <= expected, "trailing_bytes");
  const std::string ids = ReadExactly(in, 4 * std::uint64_t{preamble.tokens});
  snapshot.tokens.clear();
  for (std::size_t at = 0; at < ids.size(); at += 4) {
    const auto id = NumberAt<std::uint32_t>(ids, at);
    Expect(id < shape_.vocabulary, "other_shape");
    snapshot.tokens.push_back(static_cast<std::int32_t>(id));
  }
  const std::string logits =
      ReadExactly(in, with_logits ? 4 * std::uint64_t{shape_.vocabulary} : 0);
  snapshot.logits.clear();
  for (std::size_t at = 0; at < logits.size(); at += 4) {
    snapshot.logits.push_back(std::bit_cast<float>(NumberAt<std::uint32_t>(logits, at)));
  }
  snapshot.rows.resize(preamble.tokens * shape_.TokenBytes());
  Expect(static_cast<bool>(in.read(reinterpret_cast<char*>(snapshot.rows.data()),
                                   static_cast<std::streamsize>(snapshot.rows.size()))),
         "truncated_payload");
}

}  // namespace parity::tiny::ported
