#include "gtest_parity/engines/tiny/ported/tokens/utf8.h"

#include <algorithm>

namespace parity::tiny::ported {
namespace {

constexpr char kReplacement[] = "\xef\xbf\xbd";

// Well-formed sequences by their first byte: how long, and what the second byte may be (Unicode 15,
// table 3-7). Length 0: no character begins so.
struct Lead {
  std::size_t length;
  unsigned char low, high;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2 || byte > 0xf4) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte < 0xf0) {
    return {3, static_cast<unsigned char>(byte == 0xe0 ? 0xa0 : 0x80),
            static_cast<unsigned char>(byte == 0xed ? 0x9f : 0xbf)};
  }
  return {4, static_cast<unsigned char>(byte == 0xf0 ? 0x90 : 0x80),
          static_cast<unsigned char>(byte == 0xf4 ? 0x8f : 0xbf)};
}

// How many bytes from `at` on belong together, at least 1.
std::size_t PartLength(std::string_view bytes, std::size_t at, const Lead& lead) {
  std::size_t length = 1;
  while (length < lead.length && at + length < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[at + length]);
    const unsigned char low = length == 1 ? lead.low : 0x80;
    const unsigned char high = length == 1 ? lead.high : 0xbf;
    if (byte < low || byte > high) break;
    ++length;
  }
  return length;
}

char32_t ValueOf(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  char32_t value = first & (0xffu >> (bytes.size() + 1));
  for (const char byte : bytes.substr(1)) {
    value = value << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
  }
  return value;
}

}  // namespace

std::vector<Character> Characters(std::string_view bytes) {
  std::vector<Character> characters;
  for (std::size_t at = 0; at < bytes.size();) {
    const Lead lead = LeadOf(static_cast<unsigned char>(bytes[at]));
    const std::size_t length = PartLength(bytes, at, lead);
    if (length == lead.length) {
      const std::string_view whole = bytes.substr(at, length);
      characters.push_back({ValueOf(whole), std::string(whole)});
    } else {
      characters.push_back({U'\ufffd', kReplacement});
    }
    at += length;
  }
  return characters;
}

std::size_t UnfinishedBytes(std::string_view bytes) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
    const std::size_t at = bytes.size() - back;
    const Lead lead = LeadOf(static_cast<unsigned char>(bytes[at]));
    if (lead.length <= back) continue;
    return PartLength(bytes, at, lead) == back ? back : 0;
  }
  return 0;
}

std::string Text(std::string_view bytes) {
  std::string text;
  for (const Character& character : Characters(bytes)) text += character.bytes;
  return text;
}

}  // namespace parity::tiny::ported
