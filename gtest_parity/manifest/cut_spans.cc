#include "gtest_parity/manifest/cut_spans.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace parity {
namespace {

class SpanCutter {
 public:
  SpanCutter(const FlowPair& program, bool every_op)
      : program_(program),
        every_op_(every_op),
        scans_{WriteScan(&program, kReference), WriteScan(&program, kCandidate)} {}

  std::vector<Piece> Cut(const std::vector<OpMatch>& matches) {
    for (const OpMatch& match : matches) {
      CutStretch(match.reference, match.candidate);
      if (open_) Resolve(false);
      open_ ? Swallow() : AddPair(match);
    }
    CutStretch(program_.flows[0]->size(), program_.flows[1]->size());
    if (open_) Resolve(true);
    if (open_) Close();
    return std::move(pieces_);
  }

 private:
  std::uint32_t Position(std::size_t side) const { return scans_[side].position(); }

  // Ops up to (p, q) have no counterparts. Leaves the last span open when it cannot end.
  void CutStretch(std::uint32_t p, std::uint32_t q) {
    stretch_first_ = pieces_.size();
    while (Position(0) < p || Position(1) < q || open_) {
      open_ = true;
      if (!StepToCut(p, q)) break;
      Close();
    }
    while (Position(0) < p) scans_[0].Step();
    while (Position(1) < q) scans_[1].Step();
  }

  struct Cut2 {
    std::uint32_t sum, reference, candidate;  // steps from the present position
    auto operator<=>(const Cut2&) const = default;
  };

  // Moves to the nearest place at or before (p, q) where the open span can end. The window doubles
  // so that the cost follows the span's size and not the stretch's.
  bool StepToCut(std::uint32_t p, std::uint32_t q) {
    const std::uint32_t rows = p - Position(0), columns = q - Position(1);
    for (std::uint32_t window = 8;; window *= 2) {
      const bool all = window >= rows && window >= columns;
      for (const Cut2& cut : PossibleCuts(std::min(rows, window), std::min(columns, window))) {
        // Beyond the window there may be a nearer one.
        if (cut.sum > window && !all) break;
        WriteScan reference = scans_[0], candidate = scans_[1];
        for (std::uint32_t i = 0; i < cut.reference; ++i) reference.Step();
        for (std::uint32_t j = 0; j < cut.candidate; ++j) candidate.Step();
        if (!CheckBoundary(program_, reference, candidate).closes()) continue;
        scans_ = {std::move(reference), std::move(candidate)};
        return true;
      }
      if (all) return false;
    }
  }

  // Where the signatures agree, nearest first. Bounded: a stretch whose signatures agree all over
  // and that still has no cut would otherwise take quadratic time.
  std::vector<Cut2> PossibleCuts(std::uint32_t rows, std::uint32_t columns) const {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> columns_of;
    WriteScan candidate = scans_[1];
    for (std::uint32_t j = 0; j <= columns; ++j) {
      if (j > 0) candidate.Step();
      if (!candidate.holds_private() && candidate.signature() != 0) {
        columns_of[candidate.signature()].push_back(j);
      }
    }
    std::vector<Cut2> cuts;
    WriteScan reference = scans_[0];
    for (std::uint32_t i = 0; i <= rows; ++i) {
      if (i > 0) reference.Step();
      const auto found = columns_of.find(reference.signature());
      if (reference.holds_private() || found == columns_of.end()) continue;
      constexpr std::size_t kPerRow = 16;
      for (std::size_t k = 0; k < std::min(kPerRow, found->second.size()); ++k) {
        cuts.push_back({i + found->second[k], i, found->second[k]});
      }
    }
    std::sort(cuts.begin(), cuts.end());
    constexpr std::size_t kMost = 256;
    if (cuts.size() > kMost) cuts.resize(kMost);
    return cuts;
  }

  void Close() {
    pieces_.push_back({{scans_[0].start(), Position(0)},
                       {scans_[1].start(), Position(1)},
                       false,
                       std::move(grown_over_)});
    grown_over_.clear();
    for (WriteScan& scan : scans_) scan.Restart(scan.position());
    open_ = false;
  }

  void AddPair(const OpMatch& match) {
    pieces_.push_back({{match.reference, match.reference + 1},
                       {match.candidate, match.candidate + 1},
                       match.same && !every_op_,
                       {}});
    scans_[0].Restart(match.reference + 1);
    scans_[1].Restart(match.candidate + 1);
  }

  // The open span takes in the pair that follows it.
  void Swallow() {
    NameBlockers(CheckBoundary(program_, scans_[0], scans_[1]));
    for (WriteScan& scan : scans_) scan.Step();
  }

  // Ends the open span here if it can, or can when it also takes in pieces before it.
  void Resolve(bool at_end) {
    while (open_) {
      const Boundary boundary = CheckBoundary(program_, scans_[0], scans_[1]);
      if (boundary.closes()) return Close();
      const auto first = PieceToTakeIn(boundary, at_end);
      if (!first) return;
      TakeIn(*first, boundary);
    }
  }

  // The piece from which on the span should begin for a blocker's sake.
  std::optional<std::size_t> PieceToTakeIn(const Boundary& boundary, bool at_end) const {
    for (const std::uint32_t atom : boundary.blockers) {
      const bool ours = scans_[0].Wrote(atom), theirs = scans_[1].Wrote(atom);
      if (ours == theirs || !program_.pairs->at(program_.pairs->TensorOfAtom(atom)).shared()) {
        continue;
      }
      const std::size_t other = ours ? 1 : 0;
      const DataFlow& flow = *program_.flows[other];
      const std::uint32_t last = flow.LastWriteBefore(atom, scans_[other].start());
      if (last == flow.size()) continue;
      const std::size_t piece = PieceOf(other, last);
      const bool later = flow.NextWrite(atom, Position(other)) < flow.size();
      if (piece >= stretch_first_ || !later || at_end) return piece;
    }
    if (at_end && boundary.blockers.empty() && !pieces_.empty()) return pieces_.size() - 1;
    return std::nullopt;
  }

  std::size_t PieceOf(std::size_t side, std::uint32_t op) const {
    const auto begins_after = [side](std::uint32_t value, const Piece& piece) {
      return value < (side == 0 ? piece.reference.lo : piece.candidate.lo);
    };
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), op, begins_after);
    return static_cast<std::size_t>(next - pieces_.begin()) - 1;
  }

  void TakeIn(std::size_t first, const Boundary& boundary) {
    const std::uint32_t ends[] = {Position(0), Position(1)};
    if (first < stretch_first_) NameBlockers(boundary);
    for (std::size_t i = first; i < pieces_.size(); ++i) {
      for (const std::string& name : pieces_[i].grown_over) Name(name);
    }
    scans_[0].Restart(pieces_[first].reference.lo);
    scans_[1].Restart(pieces_[first].candidate.lo);
    for (std::size_t side = 0; side < 2; ++side) {
      while (Position(side) < ends[side]) scans_[side].Step();
    }
    pieces_.resize(first);
    stretch_first_ = std::min(stretch_first_, first);
  }

  void NameBlockers(const Boundary& boundary) {
    for (const std::uint32_t atom : boundary.blockers) {
      Name(program_.pairs->at(program_.pairs->TensorOfAtom(atom)).name);
    }
  }

  void Name(const std::string& name) {
    if (std::find(grown_over_.begin(), grown_over_.end(), name) == grown_over_.end()) {
      grown_over_.push_back(name);
    }
  }

  const FlowPair& program_;
  const bool every_op_;
  std::array<WriteScan, 2> scans_;
  bool open_ = false;
  std::size_t stretch_first_ = 0;  // the first piece of the stretch being cut
  std::vector<std::string> grown_over_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> CutIntoSpans(const FlowPair& program, const std::vector<OpMatch>& matches,
                                bool every_op) {
  return SpanCutter(program, every_op).Cut(matches);
}

}  // namespace parity
