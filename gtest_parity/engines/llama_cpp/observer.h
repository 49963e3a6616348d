// Follows the pieces of a decode: which cut is reached, and what each piece's graph was given.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_OBSERVER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_OBSERVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/eval_hook.h"
#include "gtest_parity/engines/llama_cpp/node_matcher.h"
#include "gtest_parity/engines/llama_cpp/row_order.h"

namespace parity::llama_cpp {

// Who looks at the cuts. Pieces are counted over all decodes that one observer follows.
class CutVisitor {
 public:
  virtual ~CutVisitor() = default;
  virtual bool Wants(std::size_t cut) = 0;
  virtual void Visit(std::size_t piece, std::size_t cut, ggml_tensor& value) = 0;
};

class Observer : public EvalHook {
 public:
  // `visitor` may be null: then nothing is looked at but the inputs.
  Observer(const std::vector<Cut>& cuts, CutVisitor* visitor) : matcher_(cuts), visitor_(visitor) {}

  bool Wants(ggml_tensor& node) override;
  void Computed(ggml_tensor& node) override;

  // Of the pieces since the last call, once a decode is over. Throws EngineError (PARITY_FAILED)
  // where the last graph ended before its last cut.
  std::vector<PieceInputs> TakePieces();
  std::uint64_t nodes() const { return nodes_; }
  std::size_t pieces() const { return piece_; }

 private:
  void ReadInputs(const ggml_tensor& node);

  NodeMatcher matcher_;
  CutVisitor* visitor_;
  PieceInputs inputs_;  // of the piece that is computed
  std::vector<PieceInputs> finished_;
  std::optional<std::size_t> reached_;  // the cut whose value is waited for
  std::size_t piece_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_OBSERVER_H_
