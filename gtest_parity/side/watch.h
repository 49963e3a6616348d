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

// Copies of all watched tensors, made anew only where something may have changed since. Of
// constants, which are most of an engine's memory, digests of their pages.
class Watch {
 public:
  // `watched`: every tensor that no op may touch unasked. Both arguments outlive this object.
  Watch(RankMemory& memory, const std::vector<WatchedTensor>& watched)
      : memory_(memory), watched_(watched) {}

  // A tensor, or one of which it is a view.
  void MarkStale(const TensorRef& tensor);
  // Inputs are written by `stage`, and what views show moves with the step.
  void OnStage();
  void MarkAllStale();

  void Begin();
  // What changed since Begin, but for constants: not in `allowed`, outside `within`.
  std::vector<Stray> End(const std::vector<std::string>& allowed,
                         const std::map<std::string, ElementRanges>& within);
  // Constants that changed since the first Begin, or since this was last asked.
  std::vector<Stray> ChangedConstants();
  // To be called instead of End when what happened since Begin is not known.
  void Abandon();
  bool watching() const { return watching_; }

 private:
  struct Shadow {
    DeviceBytes bytes;
    std::vector<DeviceBytes> views;  // what each showed
    std::vector<Digest> pages;       // of a constant, instead
    bool stale = true;               // the tensor may have changed since it was copied
  };

  struct Allowance {
    const std::vector<std::string>& allowed;
    const std::map<std::string, ElementRanges>& within;
  };
  std::vector<DigestTask> PagesOf(const WatchedTensor& watched);
  // Constants whose pages are no longer known, all at once.
  void DigestConstants();
  Stray FindStray(const TensorRef& tensor, const DeviceBytes& before, const std::uint8_t* now,
                  const Allowance& allowance);
  void FindInViews(const WatchedTensor& watched, const Shadow& shadow, const Allowance& allowance,
                   std::vector<Stray>& strays);

  RankMemory& memory_;
  const std::vector<WatchedTensor>& watched_;
  std::map<std::string, Shadow> shadows_;
  bool watching_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WATCH_H_
