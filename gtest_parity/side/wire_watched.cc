#include "gtest_parity/side/wire.h"

#include <stdexcept>
#include <string>

#include "gtest_parity/side/wire_json.h"
#include "gtest_parity/side/wire_parts.h"

namespace parity {

using nlohmann::json;

namespace {

json DimToWire(const Dim& dim) { return {dim.numerator, dim.denominator}; }

Dim DimFromWire(const json& in) {
  return {in.at(0).get<std::string>(), in.at(1).get<std::string>()};
}

json ShapeToWire(const std::vector<Dim>& shape) {
  json out = json::array();
  for (const Dim& dim : shape) out.push_back(DimToWire(dim));
  return out;
}

std::vector<Dim> ShapeFromWire(const json& in) {
  std::vector<Dim> shape;
  for (const json& dim : in) shape.push_back(DimFromWire(dim));
  return shape;
}

json ViewToWire(const View& view) {
  json out = {{"name", view.name},
              {"dtype", static_cast<int>(view.dtype)},
              {"shape", ShapeToWire(view.shape)},
              {"by_engine", view.by_engine},
              {"transpose", view.transpose}};
  if (view.slice) {
    out["slice"] = {view.slice->axis, DimToWire(view.slice->start), DimToWire(view.slice->size)};
  }
  return out;
}

// A slice's axis and a permutation index what they are about: they must lie in it.
void CheckAxis(std::uint32_t axis, std::size_t axes) {
  if (axis < axes) return;
  throw std::invalid_argument("axis " + std::to_string(axis) + " of a tensor of " +
                              std::to_string(axes));
}

View ViewFromWire(const json& in, std::size_t axes) {
  View view;
  Take(in.at("name"), view.name);
  view.dtype = DTypeFromWire(in.at("dtype"));
  view.shape = ShapeFromWire(in.at("shape"));
  Take(in.at("by_engine"), view.by_engine);
  Take(in.at("transpose"), view.transpose);
  if (!view.transpose.empty() && view.transpose.size() != axes) {
    throw std::invalid_argument("a transpose of " + std::to_string(view.transpose.size()) +
                                " axes for a tensor of " + std::to_string(axes));
  }
  for (const std::uint32_t axis : view.transpose) CheckAxis(axis, axes);
  if (const auto slice = in.find("slice"); slice != in.end()) {
    view.slice = Slice{Taken<std::uint32_t>(slice->at(0)), DimFromWire(slice->at(1)),
                       DimFromWire(slice->at(2))};
    CheckAxis(view.slice->axis, axes);
  }
  return view;
}

}  // namespace

json ToWire(const std::vector<WatchedTensor>& watched) {
  json out = json::array();
  for (const WatchedTensor& tensor : watched) {
    json views = json::array();
    for (const View& view : tensor.views) views.push_back(ViewToWire(view));
    out.push_back({TensorToWire(tensor.tensor), tensor.input, tensor.constant,
                   ShapeToWire(tensor.shape), std::move(views)});
  }
  return out;
}

std::vector<WatchedTensor> WatchedFromWire(const json& wire) {
  std::vector<WatchedTensor> watched;
  for (const json& in : wire) {
    WatchedTensor tensor{TensorFromWire(in.at(0)),
                         in.at(1).get<bool>(),
                         in.at(2).get<bool>(),
                         ShapeFromWire(in.at(3)),
                         {}};
    for (const json& view : in.at(4)) {
      tensor.views.push_back(ViewFromWire(view, tensor.shape.size()));
    }
    watched.push_back(std::move(tensor));
  }
  return watched;
}

}  // namespace parity
