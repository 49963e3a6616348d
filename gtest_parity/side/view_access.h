// Reads and writes an engine's tensor as one of its views shows it.
#ifndef GTEST_PARITY_SIDE_VIEW_ACCESS_H_
#define GTEST_PARITY_SIDE_VIEW_ACCESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/device/device.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/script.h"
#include "gtest_parity/side/watched_tensor.h"
#include "kernels/strided_copy.h"

namespace parity {

// The variables of a step: "rows", "seqs" and "kv_tokens".
Vars StepVars(const Step& step);

// Throws EngineError where an extent is not whole or its variable is not the step's.
std::vector<std::uint64_t> Extents(const std::vector<Dim>& shape, const Vars& step);

class ViewAccess {
 public:
  // All arguments outlive this object. Throws EngineError where a shape cannot be evaluated.
  ViewAccess(Rank& rank, Device& device, const WatchedTensor& tensor, const View& view,
             const Vars& step);

  // Of the view, at this step.
  std::uint64_t bytes() const;
  // Writes bytes() of `out`, which like `in` below lies on the device. Throws EngineError where the
  // engine fails, has no such call or another size than is declared, and where the view's dtype
  // does not hold a value.
  void Export(void* out);
  // The reverse. Leaves what the view does not show as it is. Where the tensor's dtype does not
  // hold a value nothing is written and what it was is returned; else the text is empty.
  std::string Import(const void* in);
  // Of an element of the view: "q[3, 17]".
  std::string Place(std::uint64_t index) const;

 private:
  void* CheckedData();
  StridedLayout Layout() const;
  std::string Convert(DType from, const void* in, DType to, void* out) const;

  Rank& rank_;
  Device& device_;
  const WatchedTensor& tensor_;
  const View& view_;
  const Vars& step_;
  std::vector<std::uint64_t> shape_;  // of the view
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_VIEW_ACCESS_H_
