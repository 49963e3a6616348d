#include "gtest_parity/manifest/see_through_views.h"

#include <algorithm>
#include <array>
#include <set>

#include "gtest_parity/manifest/operand.h"
#include "gtest_parity/manifest/replace_by_views.h"
#include "gtest_parity/manifest/tensor_pairs.h"

namespace parity {
namespace {

// Decides which tensors are seen through their views.
class ViewChooser {
 public:
  ViewChooser(const DescriptionPair& sides, std::uint32_t ranks)
      : sides_(sides), vars_{AtMost(*sides[0], ranks), AtMost(*sides[1], ranks)} {}

  void Choose() {
    KeepWhatIsAlike();
    ChooseAgainstTensors(kCandidate);
    ChooseAgainstTensors(kReference);
    ChooseAgainstViews();
  }

  const std::set<std::string>& chosen(std::size_t side) const { return chosen_[side]; }

 private:
  std::string TextOf(std::size_t side, const Tensor& tensor) const {
    return (tensor.kind == Kind::kBuffer ? "buffer " : "state ") +
           DeclarationText(tensor, vars_[side]);
  }

  std::string TextOf(std::size_t side, const Tensor& tensor, const View& view) const {
    Tensor seen;
    seen.kind = tensor.kind;
    seen.dtype = view.dtype;
    seen.shape = view.shape;
    return TextOf(side, seen);
  }

  void KeepWhatIsAlike() {
    for (const auto& [name, tensor] : sides_[0]->tensors) {
      const auto other = sides_[1]->tensors.find(name);
      if (other == sides_[1]->tensors.end()) continue;
      if (TextOf(0, tensor) != TextOf(1, other->second)) continue;
      kept_[0].insert(name);
      kept_[1].insert(name);
    }
  }

  bool Open(std::size_t side, const Tensor& tensor) const {
    // A tap shows the engine's own bytes, and there is nothing to prove a view on between calls.
    return !tensor.views.empty() && !sides_[side]->tap_only && !kept_[side].contains(tensor.name);
  }

  void ChooseAgainstTensors(std::size_t side) {
    const std::size_t other = 1 - side;
    for (const auto& [name, tensor] : sides_[side]->tensors) {
      if (!Open(side, tensor)) continue;
      for (const View& view : tensor.views) {
        const auto found = sides_[other]->tensors.find(view.name);
        if (found == sides_[other]->tensors.end() || chosen_[other].contains(view.name)) continue;
        if (TextOf(side, tensor, view) != TextOf(other, found->second)) continue;
        chosen_[side].insert(name);
        kept_[other].insert(view.name);
      }
    }
  }

  void ChooseAgainstViews() {
    std::map<std::string, std::string> texts;  // of the reference's views, with their names
    std::map<std::string, std::string> owners;
    for (const auto& [name, tensor] : sides_[0]->tensors) {
      if (!Open(0, tensor)) continue;
      for (const View& view : tensor.views) {
        texts[view.name] = TextOf(0, tensor, view);
        owners[view.name] = name;
      }
    }
    for (const auto& [name, tensor] : sides_[1]->tensors) {
      if (!Open(1, tensor)) continue;
      for (const View& view : tensor.views) {
        const auto found = texts.find(view.name);
        if (found == texts.end() || found->second != TextOf(1, tensor, view)) continue;
        chosen_[0].insert(owners.at(view.name));
        chosen_[1].insert(name);
      }
    }
  }

  DescriptionPair sides_;
  std::array<Vars, 2> vars_;
  std::array<std::set<std::string>, 2> kept_, chosen_;
};

}  // namespace

void SeeThroughViews(Description* reference, Description* candidate, std::uint32_t ranks) {
  ViewChooser chooser({reference, candidate}, ranks);
  chooser.Choose();
  for (const std::string& name : chooser.chosen(0)) ReplaceByViews(name, ranks, reference);
  for (const std::string& name : chooser.chosen(1)) ReplaceByViews(name, ranks, candidate);
}

}  // namespace parity
