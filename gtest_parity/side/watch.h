// Whether an engine's run touched what it should not have.
#ifndef GTEST_PARITY_SIDE_WATCH_H_
#define GTEST_PARITY_SIDE_WATCH_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest_parity/side/rank_memory.h"
#include "gtest_parity/side/script.h"

namespace parity {

struct WatchedTensor {
  TensorRef tensor;
  bool input = false;  // `stage` writes it
};

// Copies of all watched tensors, made anew only where something may have changed since.
class Watch {
 public:
  // `watched`: every tensor that no op may touch unasked. Both arguments outlive this object.
  Watch(RankMemory& memory, const std::vector<WatchedTensor>& watched)
      : memory_(memory), watched_(watched) {}

  void MarkStale(const std::string& tensor) { shadows_[tensor].stale = true; }
  void MarkInputsStale();
  void MarkAllStale();

  void Begin();
  // What changed since Begin: not in `allowed`, outside `within`.
  std::vector<Stray> End(const std::vector<std::string>& allowed,
                         const std::map<std::string, ElementRanges>& within);
  // To be called instead of End when what happened since Begin is not known.
  void Abandon();
  bool watching() const { return watching_; }

 private:
  struct Shadow {
    std::vector<std::uint8_t> bytes;
    bool stale = true;  // the tensor may have changed since it was copied
  };

  RankMemory& memory_;
  const std::vector<WatchedTensor>& watched_;
  std::map<std::string, Shadow> shadows_;
  bool watching_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WATCH_H_
