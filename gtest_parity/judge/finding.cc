#include "gtest_parity/judge/finding.h"

#include <ranges>

namespace parity {
namespace {

void Append(std::string& text, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += ", ";
  text += part;
}

}  // namespace

std::string Finding::Text() const {
  std::string rest = what;
  if (!got.empty()) Append(rest, "got " + got);
  if (!allowed.empty()) {
    Append(rest, "allowed " + allowed + (source.empty() ? "" : " (" + source + ")"));
  }
  Append(rest, would_pass);
  return where.empty() ? rest : where + ": " + rest;
}

std::string Where(const std::string& span, const std::string& run, int rank,
                  const std::string& place) {
  std::string text = span;
  Append(text, run);
  if (rank >= 0) Append(text, "rank " + std::to_string(rank));
  Append(text, place);
  return text;
}

std::string Coordinates(const std::vector<std::uint64_t>& shape, std::uint64_t index) {
  std::string text;
  std::uint64_t rest = index;
  const auto flat = [index] { return std::string("[#").append(std::to_string(index)) + ']'; };
  for (const std::uint64_t extent : std::views::reverse(shape)) {
    if (extent == 0) return flat();
    text = std::to_string(rest % extent) + (text.empty() ? "" : ", " + text);
    rest /= extent;
  }
  if (rest != 0 || shape.empty()) return flat();
  return "[" + text + "]";
}

std::string Counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace parity
