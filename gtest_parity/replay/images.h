// Every image that a recording holds.
#ifndef GTEST_PARITY_REPLAY_IMAGES_H_
#define GTEST_PARITY_REPLAY_IMAGES_H_

#include <cstddef>

#include "gtest_parity/replay/recording.h"

namespace parity {

// Calls `visit(rank, image)`; `recording` const or not.
template <typename AnyRecording, typename Visit>
void ForEachImage(AnyRecording& recording, const Visit& visit) {
  for (auto& span : recording.spans) {
    for (auto& kept : span) {
      for (std::size_t rank = 0; rank < kept.ranks.size(); ++rank) {
        for (auto& tensor : kept.ranks[rank]) {
          visit(rank, tensor.before);
          visit(rank, tensor.after);
        }
      }
    }
  }
  for (auto& run : recording.runs) {
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      for (auto& [name, image] : run[rank].images) visit(rank, image);
      for (auto& [name, image] : run[rank].states) visit(rank, image);
    }
  }
}

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_IMAGES_H_
