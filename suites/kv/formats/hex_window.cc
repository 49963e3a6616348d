#include "suites/kv/formats/hex_window.h"

#include <algorithm>
#include <cstdio>

namespace parity::kv {
namespace {

using Line = std::vector<WindowByte>;

Line LineOf(const Line& bytes, std::size_t begin) {
  const std::size_t from = std::min(begin, bytes.size());
  const std::size_t to = std::min(begin + kWindowLineBytes, bytes.size());
  return {bytes.begin() + static_cast<std::ptrdiff_t>(from),
          bytes.begin() + static_cast<std::ptrdiff_t>(to)};
}

std::string SideText(const char* side, const Line& line) {
  std::string hex, text;
  for (std::size_t i = 0; i < kWindowLineBytes; ++i) {
    if (i >= line.size()) {
      hex += "   ";
      continue;
    }
    char digits[4] = "-- ";
    if (!line[i].masked) std::snprintf(digits, sizeof digits, "%02x ", line[i].value);
    hex += digits;
    const bool printable = line[i].value >= 0x20 && line[i].value < 0x7f && !line[i].masked;
    text += printable ? static_cast<char>(line[i].value) : '.';
  }
  return std::string(side) + "  " + hex + " " + text + "\n";
}

bool Differs(const Line& reference, const Line& candidate, std::size_t i) {
  if (i >= reference.size() || i >= candidate.size()) {
    return i < std::max(reference.size(), candidate.size());
  }
  if (reference[i].masked && candidate[i].masked) return false;
  return reference[i].masked != candidate[i].masked || reference[i].value != candidate[i].value;
}

std::string Markers(const Line& reference, const Line& candidate) {
  std::string markers;
  for (std::size_t i = 0; i < kWindowLineBytes; ++i) {
    markers += Differs(reference, candidate, i) ? "^^ " : "   ";
  }
  markers.erase(markers.find_last_not_of(' ') + 1);
  return markers;
}

}  // namespace

std::string HexWindow(std::uint64_t offset, const std::vector<WindowByte>& reference,
                      const std::vector<WindowByte>& candidate) {
  std::string window;
  const std::size_t longest = std::max(reference.size(), candidate.size());
  for (std::size_t begin = 0; begin < longest; begin += kWindowLineBytes) {
    const Line left = LineOf(reference, begin), right = LineOf(candidate, begin);
    char label[20];
    const unsigned long long at = offset + begin;
    std::snprintf(label, sizeof label, "%08llx ", at);
    const std::string indent(std::string(label).size(), ' ');
    window += label + SideText("reference", left) + indent + SideText("candidate", right);
    const std::string markers = Markers(left, right);
    if (!markers.empty()) window += indent + "           " + markers + "\n";
  }
  return window;
}

}  // namespace parity::kv
