#include "suites/kv/formats/kvc_name.h"

#include "suites/kv/formats/sha1.h"

namespace parity::kv {

std::string KvcFileName(std::string_view text) { return Sha1Of(text) + std::string(kKvcSuffix); }

std::optional<std::string> KvcKeyOf(std::string_view file_name) {
  if (file_name.size() != 43 || !file_name.ends_with(kKvcSuffix)) return std::nullopt;
  std::string key(file_name.substr(0, 40));
  for (char& digit : key) {
    if (digit >= 'A' && digit <= 'F') digit = static_cast<char>(digit - 'A' + 'a');
    const bool hex = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    if (!hex) return std::nullopt;
  }
  return key;
}

}  // namespace parity::kv
