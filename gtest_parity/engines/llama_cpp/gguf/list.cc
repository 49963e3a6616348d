#include "gtest_parity/engines/llama_cpp/gguf/list.h"

#include <algorithm>
#include <array>
#include <vector>

namespace parity::gguf {
namespace {

using Row = std::array<std::string, 3>;

// JSON's escapes, without the quotes, for a name that may hold anything.
std::string Printable(const std::string& name) {
  const std::string quoted = TextOf(Text(name));
  return quoted == '"' + name + '"' ? name : quoted;
}

std::string Table(const std::vector<Row>& rows) {
  std::array<std::size_t, 3> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    }
    text += row.back() + "\n";
  }
  return text;
}

std::string ShapeText(const Tensor& tensor) {
  std::string text = "[";
  for (const std::uint64_t extent : tensor.shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + "]";
}

}  // namespace

std::string ListText(const Layout& layout) {
  std::vector<Row> keys, tensors;
  for (const auto& [name, value] : layout.metadata) {
    keys.push_back({Printable(name), TypeTextOf(value), TextOf(value)});
  }
  for (const Tensor& tensor : layout.tensors) {
    tensors.push_back({Printable(tensor.name), std::string(tensor.type->name),
                       ShapeText(tensor) + ", " + std::to_string(tensor.bytes) + " bytes at " +
                           std::to_string(tensor.offset)});
  }
  return "GGUF " + std::to_string(layout.version) + ", aligned to " +
         std::to_string(layout.alignment) + ": " + std::to_string(keys.size()) + " keys, " +
         std::to_string(tensors.size()) + " tensors\n" + Table(keys) + Table(tensors);
}

}  // namespace parity::gguf
