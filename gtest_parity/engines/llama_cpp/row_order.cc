#include "gtest_parity/engines/llama_cpp/row_order.h"

#include <set>
#include <string>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

class RowOrder {
 public:
  RowOrder(const Step& step, std::span<const StepSequence> sequences, std::uint64_t stream_cells)
      : step_(step), sequences_(sequences), stream_cells_(stream_cells) {
    for (const StepSequence& sequence : sequences) {
      for (std::uint64_t i = 0; i < sequence.rows; ++i) {
        left_.insert(static_cast<std::uint32_t>(sequence.first_row + i));
      }
    }
  }

  PieceRows Take(const PieceInputs& piece) {
    const std::size_t rows = piece.positions.size();
    if (rows == 0) {
      throw Unsupported(
          "the graph shows no positions (inp_pos), by which its rows are told from one another");
    }
    if (!piece.tokens.empty() && piece.tokens.size() != rows) {
      throw Unsupported("the graph has " + std::to_string(piece.tokens.size()) + " tokens and " +
                        std::to_string(rows) + " positions, expected one position for each");
    }
    PieceRows order;
    for (std::size_t i = 0; i < rows; ++i) order.push_back(TakeRow(piece, i));
    return order;
  }

  void ExpectNoneLeft() const {
    if (left_.empty()) return;
    throw Failed("row " + std::to_string(*left_.begin()) +
                 " of the step was in none of the graphs that computed it");
  }

 private:
  std::uint32_t TakeRow(const PieceInputs& piece, std::size_t i) {
    const std::uint32_t row = OwnStreams() ? RowOfCell(piece, i) : NextRow();
    const bool is_it = left_.contains(row) && step_.positions[row] == piece.positions[i] &&
                       (piece.tokens.empty() || step_.tokens[row] == piece.tokens[i]);
    if (!is_it) {
      throw Failed("row " + std::to_string(i) + " of a graph is position " +
                   std::to_string(piece.positions[i]) +
                   ", which the step has not there: rows "
                   "cannot be told apart; kv_unified or sequences_per_decode: 1 keep their order");
    }
    left_.erase(row);
    return row;
  }

  bool OwnStreams() const { return stream_cells_ != 0 && sequences_.size() > 1; }

  // One stream keeps the order of the batch.
  std::uint32_t NextRow() const {
    if (!left_.empty()) return *left_.begin();
    throw Failed("graphs computed more rows than the step has");
  }

  // Position and token are the same for two sequences that begin alike: the cell is not.
  std::uint32_t RowOfCell(const PieceInputs& piece, std::size_t i) const {
    if (piece.cells.size() != piece.positions.size() || piece.cells[i] < 0) {
      throw Unsupported(
          "the graph does not show which cells its rows are written to (k_idxs): rows of several "
          "sequences cannot be told apart; expected kv_unified or sequences_per_decode: 1");
    }
    const std::uint64_t slot = static_cast<std::uint64_t>(piece.cells[i]) / stream_cells_;
    const auto position = static_cast<std::uint64_t>(piece.positions[i]);
    for (const StepSequence& sequence : sequences_) {
      if (sequence.slot != slot || position < sequence.past) continue;
      return static_cast<std::uint32_t>(sequence.first_row + (position - sequence.past));
    }
    throw Failed("a graph computed a row of slot " + std::to_string(slot) +
                 ", which is not in the step");
  }

  const Step& step_;
  std::span<const StepSequence> sequences_;
  std::uint64_t stream_cells_;
  std::set<std::uint32_t> left_;
};

}  // namespace

std::vector<PieceRows> OrderRows(const Step& step, std::span<const StepSequence> sequences,
                                 const std::vector<PieceInputs>& pieces,
                                 std::uint64_t stream_cells) {
  RowOrder order(step, sequences, stream_cells);
  std::vector<PieceRows> rows;
  for (const PieceInputs& piece : pieces) rows.push_back(order.Take(piece));
  order.ExpectNoneLeft();
  return rows;
}

}  // namespace parity::llama_cpp
