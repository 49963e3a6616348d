// What lies in each sequence slot, as the steps that ran have left it.
#ifndef GTEST_PARITY_ENGINES_TINY_SLOTS_H_
#define GTEST_PARITY_ENGINES_TINY_SLOTS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

struct Slot {
  std::vector<std::int32_t> tokens;
  StagedSequence at;  // where they lie
};

class Slots {
 public:
  // A step that has been checked. Until it has run to its end, nothing is changed.
  void Stage(const parity_step& step);
  void Finish();
  // Null: empty, or its tokens are not known, as it was begun by none of the steps.
  const Slot* Find(std::uint32_t slot) const;
  void Put(std::uint32_t slot, Slot held) { slots_[slot] = std::move(held); }
  void Empty(std::uint32_t slot) { slots_.erase(slot); }
  void Clear();

 private:
  struct Coming {
    std::uint64_t past;
    std::vector<std::int32_t> tokens;
    StagedSequence at;
  };
  std::vector<Coming> staged_;
  std::map<std::uint32_t, Slot> slots_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SLOTS_H_
