// The part of a script that is the same wherever a span is repeated: put its frontier as it was,
// poison what it must write.
#ifndef GTEST_PARITY_REPLAY_SPAN_SCRIPT_H_
#define GTEST_PARITY_REPLAY_SPAN_SCRIPT_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/side/script.h"

namespace parity {

// A span as one side sees it.
class SpanOnSide {
 public:
  // `writes`: every tensor that the side's ops of the span may touch. Arguments outlive this
  // object.
  SpanOnSide(const Span& span, const Description& side, const OpRange& ops,
             const std::vector<std::string>& writes);

  std::size_t size() const { return span_.frontier.size(); }
  const FrontierTensor& tensor(std::size_t i) const { return span_.frontier[i]; }
  TensorRef Ref(std::size_t i) const;
  // Whether the span may read what the tensor held before, so that it must be put back first.
  bool Restored(std::size_t i) const {
    return tensor(i).restored || tensor(i).write == Write::kUpdate;
  }
  bool Written(std::size_t i) const { return tensor(i).write != Write::kNone; }
  // The domain that the side declares for it, for poisons within it.
  std::optional<ValueRange> DomainOf(std::size_t i) const;

  // Whether the two poisons of a tensor differ, so that what was not written shows: not where its
  // domain has one value only.
  bool ShowsUnwritten(std::size_t i) const;

  // The op that has written the tensor when the span ends, where a run of the whole program shows
  // its value. nullopt: none does, but perhaps through a peer.
  std::optional<std::uint32_t> TapOf(std::size_t i) const;

  // Restores what is restored, from `before(i)`; poisons pure outputs and scratch with poison
  // `which`.
  void Prepare(Script& script, std::uint32_t which,
               const std::function<Source(std::size_t)>& before) const;
  void Run(Script& script) const { script.Run(span_.program, ops_.lo, ops_.hi); }
  // The elements of a compared tensor that both sides declare, in a run with these variables.
  ElementRanges DeclaredByBoth(std::size_t i, const Vars& vars) const;
  // Tensors of the side that the span may write freely: declared, and not compared.
  std::vector<std::string> Free() const;

 private:
  const Span& span_;
  const Description& side_;
  const OpRange& ops_;
  const std::vector<std::string>& writes_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SPAN_SCRIPT_H_
