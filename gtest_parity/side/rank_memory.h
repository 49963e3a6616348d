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
#include "gtest_parity/side/script.h"

namespace parity {

// Bytes that stay valid until the next instruction.
struct View {
  const std::uint8_t* data;
  std::uint64_t bytes;
};

// All methods throw EngineError for a tensor that is not where or not as large as it must be.
class RankMemory {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // Both outlive this object.
  RankMemory(Rank& rank, PageStore& pages) : rank_(rank), pages_(pages) {}

  parity_region Region(const TensorRef& tensor);
  // Until EndTap nothing of the engine but this tensor can be reached, and it lies in `region`.
  void BeginTap(const TensorRef& tensor, const parity_region& region) {
    tapped_.emplace(tensor.name, region);
  }
  void EndTap() { tapped_.reset(); }
  // `scratch` owns the bytes where they had to be gathered.
  View Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch);
  void Hold(const TensorRef& tensor, const std::string& into);
  // Of kKeep: the image shares unchanged pages with this tensor's last one.
  Result Keep(const TensorRef& tensor);
  // The elements in `ranges`, or all.
  void Restore(const TensorRef& tensor, const Source& source,
               const std::optional<ElementRanges>& ranges);

 private:
  Rank& rank_;
  PageStore& pages_;
  std::map<std::string, Bytes> held_;
  std::map<std::string, Image> last_kept_;  // by tensor
  std::optional<std::pair<std::string, parity_region>> tapped_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANK_MEMORY_H_
