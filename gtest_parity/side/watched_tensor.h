// A tensor as the engine has it, and how it is seen.
#ifndef GTEST_PARITY_SIDE_WATCHED_TENSOR_H_
#define GTEST_PARITY_SIDE_WATCHED_TENSOR_H_

#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/script.h"

namespace parity {

// One that no op may touch unasked. Extents of it and of its views hold no `ranks`.
struct WatchedTensor {
  TensorRef tensor;
  bool input = false;       // `stage` writes it
  bool constant = false;    // nothing writes it
  std::vector<Dim> shape;   // where there are views
  std::vector<View> views;  // those that the plan uses; instructions name them as they name tensors
};

// Tensors of a description that no op may touch unasked: all but scratch and sync. What it has as
// views becomes the engine's tensors again.
std::vector<WatchedTensor> WatchedTensors(const Description& description);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WATCHED_TENSOR_H_
