#include "gtest_parity/manifest/replace_by_views.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/manifest/operand.h"
#include "gtest_parity/manifest/tensor_pairs.h"

namespace parity {
namespace {

class Replacer {
 public:
  Replacer(const std::string& name, std::uint32_t ranks, Description* description)
      : description_(description), vars_(AtMost(*description, ranks)) {
    auto node = description->tensors.extract(name);
    whole_ = std::move(node.mapped());
    stored_ = whole_;
    stored_.views.clear();
    for (Dim& dim : stored_.shape) dim = WithoutRanks(dim);
  }

  void Replace() {
    for (const View& view : whole_.views) AddView(view);
    if (LeavesRest()) AddPiece(whole_.name + "/rest", std::nullopt, stored_, std::nullopt);
    ReplacePeers();
    for (auto& [name, tensor] : description_->tensors) {
      if (tensor.scores == whole_.name) tensor.scores = pieces_.front().name;
    }
    for (Program& program : description_->programs) {
      for (Op& op : program.ops) ReplaceOperands(&op);
    }
  }

 private:
  struct Piece {
    std::string name;
    std::optional<Slice> slice;
    bool rest = false;
  };

  // As numbers where it is the same at every step, so that a host needs no rank count.
  Dim WithoutRanks(const Dim& dim) const {
    const std::string text = CanonicalDim(dim, vars_);
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return {text, ""};
    return {text.substr(0, slash), text.substr(slash + 1)};
  }

  void AddView(View view) {
    Tensor seen = whole_;
    seen.dtype = view.dtype;
    seen.shape = view.shape;
    seen.paged = false;
    for (Dim& dim : view.shape) dim = WithoutRanks(dim);
    if (view.slice) {
      view.slice->start = WithoutRanks(view.slice->start);
      view.slice->size = WithoutRanks(view.slice->size);
    }
    const std::optional<Slice> slice = view.slice;
    const std::string name = view.name;
    AddPiece(name, std::move(view), std::move(seen), slice);
  }

  void AddPiece(const std::string& name, std::optional<View> view, Tensor tensor,
                const std::optional<Slice>& slice) {
    pieces_.push_back({name, slice, !view.has_value()});
    tensor.name = name;
    tensor.slices.clear();
    tensor.views.clear();
    tensor.seen = std::make_shared<const Seen>(Seen{stored_, std::move(view)});
    description_->tensors.emplace(name, std::move(tensor));
  }

  std::pair<std::uint64_t, std::uint64_t> IntervalOf(const Slice& slice) const {
    const std::uint64_t start = slice.start.Evaluate(vars_);
    return {start, start + slice.size.Evaluate(vars_)};
  }

  // Views do not overlap, so those of slices leave nothing if together they are as long as the
  // axis.
  bool LeavesRest() const {
    std::uint64_t shown = 0;
    for (const View& view : whole_.views) {
      if (view.by_engine || !view.slice) return false;
      shown += view.slice->size.Evaluate(vars_);
    }
    return shown < whole_.shape[whole_.views.front().slice->axis].Evaluate(vars_);
  }

  void ReplacePeers() {
    const std::map<std::string, std::string> peers = description_->peers;
    for (const auto& [peer, of] : peers) {
      if (of != whole_.name) continue;
      description_->peers.erase(peer);
      for (const Piece& piece : pieces_) description_->peers[PeerName(peer, piece)] = piece.name;
      peers_.push_back(peer);
    }
  }

  static std::string PeerName(const std::string& peer, const Piece& piece) {
    return peer + "/" + piece.name;
  }

  void ReplaceOperands(Op* op) {
    op->reads = Replaced(op->reads, nullptr);
    op->updates = Replaced(op->updates, nullptr);
    op->writes = Replaced(op->writes, &op->updates);
  }

  // Pieces that are touched in part go to `partly`, if given.
  std::vector<std::string> Replaced(const std::vector<std::string>& operands,
                                    std::vector<std::string>* partly) const {
    std::vector<std::string> replaced;
    for (const std::string& text : operands) {
      const bool peer = std::find(peers_.begin(), peers_.end(), text) != peers_.end();
      const Slice* slice = SliceNamed(text);
      if (!peer && text != whole_.name && slice == nullptr) {
        AddOnce(text, &replaced);
        continue;
      }
      for (const Piece& piece : pieces_) {
        if (slice != nullptr && !Touches(*slice, piece)) continue;
        const bool in_part = slice != nullptr && !Covers(*slice, piece);
        AddOnce(peer ? PeerName(text, piece) : piece.name,
                in_part && partly != nullptr ? partly : &replaced);
      }
    }
    return replaced;
  }

  static void AddOnce(const std::string& name, std::vector<std::string>* names) {
    if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(name);
  }

  const Slice* SliceNamed(const std::string& text) const {
    if (!text.starts_with(whole_.name + "/")) return nullptr;
    const auto found = whole_.slices.find(text.substr(whole_.name.size() + 1));
    return found == whole_.slices.end() ? nullptr : &found->second;
  }

  // Nothing is known of slices on several axes, or that move with the step: they may touch.
  bool Comparable(const Slice& slice, const Piece& piece) const {
    return piece.slice && piece.slice->axis == slice.axis && IsFixed(slice.start) &&
           IsFixed(slice.size);
  }

  bool Touches(const Slice& slice, const Piece& piece) const {
    if (piece.rest) return TouchesRest(slice);
    return !Comparable(slice, piece) || InCommon(slice, piece) > 0;
  }

  bool TouchesRest(const Slice& slice) const {
    if (!Comparable(slice, pieces_.front())) return true;
    std::uint64_t shown = 0;
    for (const Piece& piece : pieces_) shown += piece.rest ? 0 : InCommon(slice, piece);
    return shown < slice.size.Evaluate(vars_);
  }

  std::uint64_t InCommon(const Slice& slice, const Piece& piece) const {
    const auto [lo, hi] = IntervalOf(slice);
    const auto [start, end] = IntervalOf(*piece.slice);
    const std::uint64_t first = std::max(lo, start), last = std::min(hi, end);
    return first < last ? last - first : 0;
  }

  bool Covers(const Slice& slice, const Piece& piece) const {
    if (piece.rest || !Comparable(slice, piece)) return false;
    return InCommon(slice, piece) == piece.slice->size.Evaluate(vars_);
  }

  Description* description_;
  const Vars vars_;
  Tensor whole_, stored_;
  std::vector<Piece> pieces_;
  std::vector<std::string> peers_;  // those that reached the tensor
};

}  // namespace

void ReplaceByViews(const std::string& name, std::uint32_t ranks, Description* description) {
  Replacer(name, ranks, description).Replace();
}

}  // namespace parity
