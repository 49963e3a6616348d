#include "gtest_parity/side/wire_parts.h"

#include <stdexcept>
#include <string>

namespace parity {

using nlohmann::json;

json RangesToWire(const ElementRanges& ranges) {
  json out = json::array();
  for (const ElementRun& range : ranges) {
    out.push_back(range.first);
    out.push_back(range.count);
  }
  return out;
}

ElementRanges RangesFromWire(const json& in) {
  const auto flat = Taken<std::vector<std::uint64_t>>(in);
  if (flat.size() % 2 != 0) throw std::invalid_argument("element ranges: an odd number of words");
  ElementRanges ranges;
  for (std::size_t i = 0; i < flat.size(); i += 2) ranges.push_back({flat[i], flat[i + 1]});
  return ranges;
}

json ImageToWire(const Image& image) { return {{"bytes", image.bytes}, {"pages", image.pages}}; }

Image ImageFromWire(const json& in) {
  Image image;
  Take(in.at("bytes"), image.bytes);
  Take(in.at("pages"), image.pages);
  return image;
}

json TensorToWire(const TensorRef& tensor) {
  return {static_cast<int>(tensor.kind), tensor.name, static_cast<int>(tensor.dtype)};
}

DType DTypeFromWire(const json& in) {
  const int dtype = Taken<int>(in);
  if (dtype < 0 || dtype >= static_cast<int>(kDTypeCount)) {
    throw std::invalid_argument("no dtype " + std::to_string(dtype));
  }
  return static_cast<DType>(dtype);
}

TensorRef TensorFromWire(const json& in) {
  const int kind = Taken<int>(in.at(0));
  if (kind < 0 || kind > static_cast<int>(Kind::kState)) {
    throw std::invalid_argument("no kind of tensor " + std::to_string(kind));
  }
  return {static_cast<Kind>(kind), in.at(1).get<std::string>(), DTypeFromWire(in.at(2))};
}

}  // namespace parity
