#include "gtest_parity/side/watched_tensor.h"

#include <map>
#include <utility>

namespace parity {

std::vector<WatchedTensor> WatchedTensors(const Description& description) {
  std::map<std::string, WatchedTensor> by_name;
  for (const auto& [name, tensor] : description.tensors) {
    if (tensor.role == Role::kScratch || tensor.role == Role::kSync) continue;
    const Tensor& stored = tensor.seen != nullptr ? tensor.seen->stored : tensor;
    WatchedTensor& watched = by_name[stored.name];
    watched.tensor = {stored.kind, stored.name, stored.dtype};
    watched.input = stored.role == Role::kInput;
    watched.constant = stored.role == Role::kConstant;
    if (tensor.seen == nullptr) continue;
    watched.shape = stored.shape;
    if (tensor.seen->view) watched.views.push_back(*tensor.seen->view);
  }
  std::vector<WatchedTensor> all;
  for (auto& [name, watched] : by_name) all.push_back(std::move(watched));
  return all;
}

}  // namespace parity
