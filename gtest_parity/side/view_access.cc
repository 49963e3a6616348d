#include "gtest_parity/side/view_access.h"

#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/side/region.h"
#include "gtest_parity/side/value_text.h"
#include "kernels/convert.h"

namespace parity {
namespace {

std::uint64_t Product(const std::vector<std::uint64_t>& extents) {
  std::uint64_t product = 1;
  for (const std::uint64_t extent : extents) product *= extent;
  return product;
}

}  // namespace

Vars StepVars(const Step& step) {
  std::uint64_t held = 0;
  for (const Step::Sequence& sequence : step.sequences) held += sequence.past + sequence.rows;
  return {{"rows", step.tokens.size()}, {"seqs", step.sequences.size()}, {"kv_tokens", held}};
}

std::vector<std::uint64_t> Extents(const std::vector<Dim>& shape, const Vars& step) {
  std::vector<std::uint64_t> extents;
  try {
    for (const Dim& dim : shape) extents.push_back(dim.Evaluate(step));
  } catch (const std::runtime_error& error) {
    throw EngineError(PARITY_FAILED, error.what());
  }
  return extents;
}

ViewAccess::ViewAccess(Rank& rank, Device& device, const WatchedTensor& tensor, const View& view,
                       const Vars& step)
    : rank_(rank),
      device_(device),
      tensor_(tensor),
      view_(view),
      step_(step),
      shape_(Extents(view.shape, step)) {}

std::uint64_t ViewAccess::bytes() const { return BytesOf(view_.dtype, Product(shape_)); }

std::string ViewAccess::Place(std::uint64_t index) const {
  return view_.name + Coordinates(shape_, index);
}

void* ViewAccess::CheckedData() {
  const parity_region region = RegionOf(rank_, device_, tensor_.tensor);
  const std::uint64_t declared =
      BytesOf(tensor_.tensor.dtype, Product(Extents(tensor_.shape, step_)));
  if (region.live_bytes != declared) {
    throw EngineError(PARITY_FAILED,
                      tensor_.tensor.name + ": " + std::to_string(region.live_bytes) +
                          " bytes are live, its description has " + std::to_string(declared));
  }
  return region.data;
}

StridedLayout ViewAccess::Layout() const {
  StridedLayout stored;
  std::uint64_t stride = 1;
  const std::vector<std::uint64_t> extents = Extents(tensor_.shape, step_);
  for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
    stored.axes.insert(stored.axes.begin(), {extents[axis], stride});
  }
  if (view_.slice) {
    StridedLayout::Axis& axis = stored.axes[view_.slice->axis];
    stored.offset = view_.slice->start.Evaluate(step_) * axis.stride;
    axis.extent = view_.slice->size.Evaluate(step_);
  }
  StridedLayout layout = stored;
  for (std::size_t i = 0; i < view_.transpose.size(); ++i) {
    layout.axes[i] = stored.axes[view_.transpose[i]];
  }
  return layout;
}

// Words on the first value that `to` does not hold; empty where there is none.
std::string ViewAccess::Convert(DType from, const void* in, DType to, void* out) const {
  const std::uint64_t elements = Product(shape_);
  const Inexact inexact = device_.Convert(from, in, to, out, elements);
  if (inexact.count == 0) return "";
  const std::string more =
      inexact.count == 1 ? "" : ", nor " + std::to_string(inexact.count - 1) + " others";
  return Place(inexact.first_index) + " is " +
         ValueText(device_, from, static_cast<const std::uint8_t*>(in), inexact.first_index) +
         ", which " + std::string(NameOf(to)) + " does not hold" + more;
}

void ViewAccess::Export(void* out) {
  if (view_.by_engine) {
    device_.Synchronize();
    rank_.ExportView(KindOf(tensor_.tensor), view_.name, out, bytes());
    return;
  }
  const DType stored = tensor_.tensor.dtype;
  const void* data = CheckedData();
  if (stored == view_.dtype) return device_.Gather(Layout(), BytesOf(stored, 1), data, out);
  DeviceBytes dense;
  dense.Resize(device_, BytesOf(stored, Product(shape_)));
  device_.Gather(Layout(), BytesOf(stored, 1), data, dense.data());
  const std::string words = Convert(stored, dense.data(), view_.dtype, out);
  if (words.empty()) return;
  throw EngineError(PARITY_FAILED,
                    tensor_.tensor.name + " cannot be seen as its description has it: " + words);
}

std::string ViewAccess::Import(const void* in) {
  if (view_.by_engine) {
    device_.Synchronize();
    rank_.ImportView(KindOf(tensor_.tensor), view_.name, in, bytes());
    return "";
  }
  const DType stored = tensor_.tensor.dtype;
  void* data = CheckedData();
  if (stored == view_.dtype) {
    device_.Scatter(Layout(), BytesOf(stored, 1), in, data);
    return "";
  }
  DeviceBytes dense;
  dense.Resize(device_, BytesOf(stored, Product(shape_)));
  std::string words = Convert(view_.dtype, in, stored, dense.data());
  if (words.empty()) device_.Scatter(Layout(), BytesOf(stored, 1), dense.data(), data);
  return words;
}

}  // namespace parity
