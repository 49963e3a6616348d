// Runs scripts on one rank, where the bytes are.
#ifndef GTEST_PARITY_SIDE_EXECUTOR_H_
#define GTEST_PARITY_SIDE_EXECUTOR_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/script.h"

namespace parity {

struct WatchedTensor {
  TensorRef tensor;
  bool input = false;  // `stage` writes it
};

class Executor {
 public:
  // `watched`: every tensor that no op may touch unasked. All arguments outlive this object.
  Executor(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& watched,
           RankProgress& progress);

  // Throws EngineError where the engine does not return PARITY_OK or its memory has another size
  // than the recording's; results of the instructions before that are lost.
  Results Execute(const std::vector<Instruction>& script);

 private:
  using Bytes = std::vector<std::uint8_t>;
  // Bytes of a source that stay valid until the next instruction.
  struct View {
    const std::uint8_t* data;
    std::uint64_t bytes;
  };

  Result Execute(const Instruction& instruction, const Results& before);
  View Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch);
  parity_region Region(const TensorRef& tensor);
  void MarkAllStale();
  void Stage(const Step& step);
  Result Run(const Instruction& instruction);
  Result Keep(const TensorRef& tensor);
  void Restore(const TensorRef& tensor, const Source& source);
  void FillPoison(const Instruction& instruction);
  Result CompareElements(const Instruction& instruction, const Results& before);
  Result CompareRows(const Instruction& instruction);
  Result FindUnwritten(const Instruction& instruction, const Results& before);
  Result FindChanged(const Instruction& instruction);
  void Watch();
  Result FindStrays(const Instruction& instruction);

  Rank& rank_;
  PageStore& pages_;
  const std::vector<WatchedTensor>& watched_;
  RankProgress& progress_;
  std::map<std::string, Bytes> held_;
  std::map<std::string, Image> last_kept_;  // by tensor: whose pages the next image may share
  struct Shadow {
    Bytes bytes;
    bool stale = true;  // the tensor may have changed since it was copied
  };
  std::map<std::string, Shadow> shadows_;
  bool watching_ = false;
};

// CompareElements over `ranges` of two arrays, in their order.
ElementStats CompareRanges(DType dtype, const void* a, const void* b, const ElementRanges& ranges);
// Runs of elements of `element_bytes` that the set blocks of a ChangedBlocks bitmap touch.
ElementRanges BlocksToElements(const std::vector<std::uint64_t>& bitmap, std::uint64_t bytes,
                               std::uint32_t element_bytes);
// The elements of [0, count) that are in no range; `ranges` ascending and disjoint, and may reach
// beyond `count`.
ElementRanges Complement(const ElementRanges& ranges, std::uint64_t count);
// The elements that are in both.
ElementRanges Intersect(const ElementRanges& a, const ElementRanges& b);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_EXECUTOR_H_
