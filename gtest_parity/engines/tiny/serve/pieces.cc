#include "gtest_parity/engines/tiny/serve/pieces.h"

#include <algorithm>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

constexpr std::string_view kOpening = "<image:";
constexpr std::size_t kDigits = 40, kRowBytes = 4;
constexpr std::size_t kImageBytes = kOpening.size() + kDigits + 1;
static_assert(kImageBytes % kRowBytes == 0);

struct Span {
  std::size_t begin, end;
};

// Of the text's attachments; the last one may be cut short.
std::vector<Span> ImagesIn(std::string_view text) {
  std::vector<Span> images;
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos;
       at = text.find(kOpening, at + kImageBytes)) {
    images.push_back({at, std::min(text.size(), at + kImageBytes)});
  }
  return images;
}

bool ContinuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

Pieces::Pieces(Tokenizer& tokenizer, std::uint64_t vocabulary)
    : tokenizer_(tokenizer), vocabulary_(vocabulary) {
  const nlohmann::json special = tokenizer.SpecialIds();
  bos_id_ = special.value("bos", -1);
  eos_id_ = special.value("eos", -1);
  if (bos_id_ >= 0) bos_ = TextOf(bos_id_);
  if (eos_id_ >= 0) eos_ = TextOf(eos_id_);
  for (std::uint64_t id = 0; id < vocabulary; ++id) {
    const std::string text = TextOf(static_cast<std::int32_t>(id));
    if (text.size() != 1) continue;
    id_of_byte_[static_cast<unsigned char>(text[0])] = static_cast<std::int32_t>(id);
  }
}

std::string Pieces::TextOf(std::int32_t id) const { return tokenizer_.Bytes({&id, 1}); }

// FNV-1a, kept away from the special ids.
std::int32_t Pieces::RowId(std::string_view row) const {
  std::uint32_t hash = 2166136261u;
  for (const char byte : row) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619u;
  return static_cast<std::int32_t>(2 + hash % (vocabulary_ - 2));
}

void Pieces::AppendPlain(std::string_view text, std::vector<Piece>& pieces) const {
  // Behind a token that ends within a character, its other bytes are tokens of their own.
  for (; !text.empty() && ContinuesCharacter(text[0]); text.remove_prefix(1)) {
    pieces.push_back(
        {id_of_byte_[static_cast<unsigned char>(text[0])], std::string(text.substr(0, 1))});
  }
  for (const std::int32_t id : tokenizer_.Encode(text, false, true)) {
    pieces.push_back({id, TextOf(id)});
  }
}

std::vector<Piece> Pieces::Of(const std::string& text, std::size_t from) const {
  const std::string_view all = text;
  std::vector<Piece> pieces;
  std::size_t at = from;
  for (const Span& image : ImagesIn(all)) {
    if (image.begin > at) AppendPlain(all.substr(at, image.begin - at), pieces);
    for (at = std::max(at, image.begin); at < image.end; at += kRowBytes) {
      const std::string_view row = all.substr(at, kRowBytes);
      pieces.push_back({RowId(row), std::string(row)});
    }
  }
  AppendPlain(all.substr(std::min(at, all.size())), pieces);
  return pieces;
}

std::vector<std::size_t> Pieces::EndsIn(const std::string& text,
                                        const std::vector<std::int32_t>& tokens) const {
  const std::vector<Span> images = ImagesIn(text);
  auto image = images.begin();
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (const std::int32_t token : tokens) {
    if (image != images.end() && at >= image->end) ++image;
    const bool inside = image != images.end() && at >= image->begin;
    at += inside ? kRowBytes : TextOf(token).size();
    ends.push_back(at);
  }
  return ends;
}

std::string Pieces::Attachment(const std::string& digest) {
  return std::string(kOpening) + digest + ">";
}

bool Pieces::HasAttachment(std::string_view text) { return !ImagesIn(text).empty(); }

void Pieces::CheckPlain(const std::string& text, const std::string& where) const {
  for (const std::string_view marker : {std::string_view(bos_), std::string_view(eos_), kOpening}) {
    if (marker.empty() || text.find(marker) == std::string::npos) continue;
    throw Invalid(where + " spells the control marker \"" + std::string(marker) +
                  "\", expected text without it");
  }
}

}  // namespace parity::tiny
