#include "gtest_parity/engines/tiny/server/read/images.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "gtest_parity/engines/tiny/server/read/fields.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Nothing where it is not padded as it should be, or has bits that say nothing.
std::optional<std::string> Base64Decoded(std::string_view text) {
  if (text.size() % 4 != 0 || text.empty()) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char digit : text) {
    const std::size_t value = kAlphabet.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  if ((bits & ((1u << held) - 1)) != 0) return std::nullopt;
  return bytes;
}

bool IsOfType(std::string_view bytes, std::string_view type) {
  if (type == "image/png") return bytes.starts_with("\x89PNG\r\n\x1a\n");
  return type == "image/jpeg" && bytes.starts_with("\xff\xd8\xff");
}

void Add(std::string_view type, std::string_view data, const std::string& role,
         const std::string& where, Intent& intent) {
  if (role != "user") throw Bad(where, "an image in a turn of the user only");
  if (type != "image/png" && type != "image/jpeg") throw Bad(where, "image/png or image/jpeg");
  std::optional<std::string> bytes = Base64Decoded(data);
  if (!bytes) throw Bad(where, "base64");
  if (!IsOfType(*bytes, type)) throw Bad(where, "bytes of " + std::string(type));
  std::size_t all = bytes->size();
  for (const std::string& image : intent.images) all += image.size();
  if (bytes->size() > kMaxImageBytes || all > kMaxAllImageBytes) {
    throw Bad(where, "at most 10 MiB, and 20 MiB of all images");
  }
  if (intent.images.size() == kMaxImages) throw Bad(where, "at most 4 images");
  intent.images.push_back(std::move(*bytes));
}

}  // namespace

void AddImageUrl(const Json& url, const std::string& role, const std::string& where,
                 Intent& intent) {
  const std::string text = url.is_string() ? url.get<std::string>() : "";
  const std::string_view all = text;
  const std::size_t mark = all.find(";base64,");
  if (!all.starts_with("data:") || mark == std::string_view::npos) {
    throw Bad(where, "a data URI with base64; other addresses are not fetched");
  }
  Add(all.substr(5, mark - 5), all.substr(mark + 8), role, where, intent);
}

void AddImageSource(const Json& source, const std::string& role, const std::string& where,
                    Intent& intent) {
  if (Get(source, "type") != "base64") throw Bad(where + ".type", "\"base64\"");
  Add(TextOf(source, "media_type", where), TextOf(source, "data", where), role, where, intent);
}

}  // namespace parity::tiny_server
