// A rank's bytes by name: the engine's own, those held aside, and the recording's.
#ifndef GTEST_PARITY_SIDE_RANK_MEMORY_H_
#define GTEST_PARITY_SIDE_RANK_MEMORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/region.h"
#include "gtest_parity/side/script.h"
#include "gtest_parity/side/view_access.h"
#include "gtest_parity/side/watched_tensor.h"

namespace parity {

// Bytes on the rank's device that stay valid until the next instruction.
struct ByteView {
  const std::uint8_t* data;
  std::uint64_t bytes;
};

// All methods throw EngineError for a tensor that is not where or not as large as it must be.
class RankMemory {
 public:
  using Bytes = DeviceBytes;

  // `tensors`: the engine's, with their views. All outlive this object.
  RankMemory(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& tensors);

  // Where all of it lies.
  Device& device() { return device_; }
  // What a view shows moves with the step.
  void SetStep(const Step& step) { step_ = StepVars(step); }
  parity_region Region(const TensorRef& tensor);
  ViewAccess Access(const WatchedTensor& tensor, const View& view) {
    return ViewAccess(rank_, device_, tensor, view, step_);
  }
  // The engine's tensor where an instruction names a view; null where it names no view.
  const WatchedTensor* ViewedBy(const TensorRef& tensor) const;
  // The dtype in which the engine has it.
  DType StoredDType(const TensorRef& tensor) const;
  // Of kProve.
  Result Prove(const TensorRef& view);

  // Until EndTap nothing of the engine but this tensor can be reached, and it lies in `region`.
  void BeginTap(const TensorRef& tensor, const parity_region& region) {
    tapped_.emplace(tensor.name, region);
  }
  void EndTap() { tapped_.reset(); }
  // `scratch` owns the bytes where they had to be gathered.
  ByteView Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch);
  void Hold(const TensorRef& tensor, const std::string& into);
  // Of kKeep: the image shares unchanged pages with this tensor's last one.
  Result Keep(const TensorRef& tensor);
  // Of kRestore: the elements in `ranges`, or all. Where the engine's dtype does not hold a value
  // nothing is written.
  Result Restore(const TensorRef& tensor, const Source& source,
                 const std::optional<ElementRanges>& ranges);
  void Fill(const TensorRef& tensor, ElementBits pattern);

 private:
  struct Viewable {
    const WatchedTensor* of = nullptr;
    const View* view = nullptr;
  };
  std::string Write(const TensorRef& tensor, const std::uint8_t* data, std::uint64_t bytes);
  std::string WriteRanges(const TensorRef& tensor, const ByteView& from,
                          const ElementRanges& ranges);

  Rank& rank_;
  PageStore& pages_;
  Device& device_;
  std::map<std::string, Bytes> held_;
  std::map<std::string, Image> last_kept_;  // by tensor
  std::optional<std::pair<std::string, parity_region>> tapped_;
  std::map<std::string, Viewable> views_;  // by the view's name
  Vars step_ = StepVars({});
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANK_MEMORY_H_
