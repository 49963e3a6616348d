#include "gtest_parity/engines/tiny/serve/faulty_states.h"

#include <algorithm>
#include <fstream>

namespace parity::tiny {
namespace {

// Every token gets the keys and values of the one before it; the first keeps its own. Of each layer
// the keys, then the values: `parts` stretches of all tokens.
void MoveOnePositionOn(KvSnapshot& snapshot, std::size_t parts) {
  const std::size_t part = snapshot.rows.size() / parts, row = part / snapshot.tokens.size();
  for (std::size_t at = 0; at < snapshot.rows.size(); at += part) {
    const auto begin = snapshot.rows.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(part);
    std::copy_backward(begin, end - static_cast<std::ptrdiff_t>(row), end);
  }
}

}  // namespace

bool SpoilState(const std::string& mutant, std::uint32_t& slot, KvSnapshot& snapshot) {
  constexpr std::size_t kParts = 6;  // three layers
  if (mutant == "state_not_restored") return false;
  if (mutant == "state_other_slot") ++slot;
  if (mutant == "state_stale_position") MoveOnePositionOn(snapshot, kParts);
  return true;
}

void TakeTheFilesElement(const std::string& path, KvShape& shape) {
  constexpr std::streamoff kElementAt = 24;
  std::ifstream file(path, std::ios::binary);
  std::uint32_t element = 0;
  file.seekg(kElementAt);
  if (file.read(reinterpret_cast<char*>(&element), sizeof(element))) shape.element_bytes = element;
}

}  // namespace parity::tiny
