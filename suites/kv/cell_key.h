// Which side saved and which one loads.
#ifndef GTEST_PARITY_SUITES_KV_CELL_KEY_H_
#define GTEST_PARITY_SUITES_KV_CELL_KEY_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace parity::kv {

struct CellKey {
  bool saver_reference = true, loader_reference = true;
  bool IsOwnCheck() const { return saver_reference && loader_reference; }
  std::string Text() const;  // "reference_to_candidate"
  bool operator==(const CellKey&) const = default;
};
inline constexpr std::array<CellKey, 4> kAllCells = {
    CellKey{true, true}, {false, false}, {true, false}, {false, true}};

// The inverse of Text.
std::optional<CellKey> CellNamed(std::string_view text);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_CELL_KEY_H_
