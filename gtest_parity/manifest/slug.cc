#include "gtest_parity/manifest/slug.h"

#include <cctype>

namespace parity {

std::string SpanLabel(const std::string& first, const std::string& last) {
  return first == last ? first : first + " .. " + last;
}

std::string Slugged(const std::string& text) {
  std::string slug;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte) != 0) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '_') {
      slug += '_';
    }
  }
  if (slug.ends_with('_')) slug.pop_back();
  return slug.empty() ? "x" : slug;
}

std::string SlugMaker::Make(const std::string& program, const std::string& first,
                            const std::string& last) {
  std::string slug = Slugged(program) + "_" + Slugged(first);
  if (first != last) {
    std::size_t shared = 0;
    for (std::size_t i = 0; i < first.size() && i < last.size() && first[i] == last[i]; ++i) {
      if (first[i] == '.') shared = i + 1;
    }
    slug += "_to_" + Slugged(last.substr(shared));
  }
  std::string unique = slug;
  for (int n = 2; !taken_.insert(unique).second; ++n) unique = slug + "_" + std::to_string(n);
  return unique;
}

}  // namespace parity
