// The memory of both sides in one table: what they declare alike, and what is one side's own.
#ifndef GTEST_PARITY_MANIFEST_TENSOR_PAIRS_H_
#define GTEST_PARITY_MANIFEST_TENSOR_PAIRS_H_

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/operand.h"

namespace parity {

// Indices into pairs of things, one per side.
inline constexpr int kReference = 0;
inline constexpr int kCandidate = 1;

using DescriptionPair = std::array<const Description*, 2>;

// What part a tensor has in the data flow.
enum class Flow {
  kTracked,   // its contents go from op to op
  kInput,     // as kTracked, but `stage` writes it
  kConstant,  // each side's own: never restored, never compared
  kIgnored,   // scratch and sync
};

struct TensorPair {
  std::string name;
  std::array<const Tensor*, 2> declared = {nullptr, nullptr};  // null: not that side's
  Flow flow = Flow::kTracked;
  bool constant_alike = true;  // of a constant
  std::string why_private;     // of what only one side has, or both declare differently
  Parts parts;
  std::uint32_t first_atom = 0;  // an atom is a part of a tensor that moves through the data flow
  bool shared() const { return declared[0] != nullptr && declared[1] != nullptr; }
  const Tensor& any() const { return declared[0] != nullptr ? *declared[0] : *declared[1]; }
};

class TensorPairs {
 public:
  TensorPairs(const DescriptionPair& sides, std::uint32_t ranks);

  const std::vector<TensorPair>& all() const { return pairs_; }
  const TensorPair& at(std::uint32_t index) const { return pairs_[index]; }
  std::uint32_t IndexOf(int side, const std::string& name) const {
    return index_[static_cast<std::size_t>(side)].at(name);
  }
  std::uint32_t atom_count() const { return static_cast<std::uint32_t>(tensor_of_atom_.size()); }
  std::uint32_t TensorOfAtom(std::uint32_t atom) const { return tensor_of_atom_[atom]; }
  // The atoms that an operand lies in: all that its slice covers whole.
  struct Range {
    std::uint32_t lo = 0, hi = 0;
    bool whole_atoms = true;  // false: a slice of a tensor that is not cut into parts
  };
  Range AtomsOf(int side, const Operand& operand) const;
  // Whether a side is tap-only and the tensor is not what its programs leave for their caller.
  bool ReachedByTapsAlone(const TensorPair& pair) const;
  bool TapOnly(int side) const { return sides_[static_cast<std::size_t>(side)]->tap_only; }
  // No span is replayed by itself: what a program has computed before a span is there.
  bool InOrder() const {
    return sides_[1]->sequential || TapOnly(kReference) || TapOnly(kCandidate);
  }
  const Vars& vars(int side) const { return vars_[static_cast<std::size_t>(side)]; }

 private:
  void AddPair(const Tensor* reference, const Tensor* candidate, const std::string& why);
  void SetFlow(TensorPair* pair) const;
  // Why a tensor that both sides may declare alike cannot be reached on one; empty: it can.
  std::string WhyHidden(const Tensor& tensor) const;

  DescriptionPair sides_;
  std::array<Vars, 2> vars_;
  std::vector<TensorPair> pairs_;
  std::array<std::unordered_map<std::string, std::uint32_t>, 2> index_;
  std::vector<std::uint32_t> tensor_of_atom_;
};

// An extent as it reads at a number of ranks: "128", or "rows/2" where it moves with the step.
std::string CanonicalDim(const Dim& dim, const Vars& vars);

// "f32 [rows, 128]"
std::string DeclarationText(const Tensor& tensor, const Vars& vars);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_TENSOR_PAIRS_H_
