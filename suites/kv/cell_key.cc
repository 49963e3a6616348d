#include "suites/kv/cell_key.h"

#include <algorithm>

namespace parity::kv {

std::string CellKey::Text() const {
  const auto name = [](bool reference) { return reference ? "reference" : "candidate"; };
  return std::string(name(saver_reference)) + "_to_" + name(loader_reference);
}

std::optional<CellKey> CellNamed(std::string_view text) {
  const auto found = std::find_if(kAllCells.begin(), kAllCells.end(),
                                  [&](const CellKey& key) { return key.Text() == text; });
  if (found == kAllCells.end()) return std::nullopt;
  return *found;
}

}  // namespace parity::kv
