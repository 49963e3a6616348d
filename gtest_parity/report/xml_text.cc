#include "gtest_parity/report/xml_text.h"

#include <cstdint>

namespace parity {
namespace {

// Length of the UTF-8 sequence at the start of `text` and its code point; length 0 if it is not one
// (overlong forms, surrogates and what lies beyond U+10FFFF are not).
struct Decoded {
  std::size_t length = 0;
  std::uint32_t point = 0;
};

Decoded Decode(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t point = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < kSmallest[length] || point > 0x10ffff || surrogate) return {};
  return {length, point};
}

std::string Hex(unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string Control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f ? Hex(byte) : std::string();
}

// The escaped form of one ASCII character, or empty if it stands for itself.
std::string Escape(char c, bool attribute) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\t':
      return attribute ? "&#9;" : "";
    case '\n':
      return attribute ? "&#10;" : "";
    case '\r':
      return "&#13;";
    default:
      return Control(c);
  }
}

std::string XmlText(std::string_view text, bool attribute) {
  std::string out;
  while (!text.empty()) {
    const Decoded decoded = Decode(text);
    const std::size_t length = decoded.length == 0 ? 1 : decoded.length;
    if (decoded.length == 0) {
      out += Hex(static_cast<unsigned char>(text.front()));
    } else if (decoded.point == 0xfffe || decoded.point == 0xffff) {
      out += decoded.point == 0xfffe ? "\\ufffe" : "\\uffff";
    } else {
      const std::string escaped =
          decoded.length == 1 ? Escape(text.front(), attribute) : std::string();
      out += escaped.empty() ? std::string(text.substr(0, length)) : escaped;
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::string XmlAttributeText(std::string_view text) { return XmlText(text, true); }

std::string XmlContentText(std::string_view text) { return XmlText(text, false); }

}  // namespace parity
