// Where a span may begin and end: only where both sides hold the same values for what is read
// later.
#ifndef GTEST_PARITY_MANIFEST_CLOSURE_H_
#define GTEST_PARITY_MANIFEST_CLOSURE_H_

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gtest_parity/manifest/data_flow.h"
#include "gtest_parity/manifest/tensor_pairs.h"

namespace parity {

// A program of both sides. Everything it points to outlives it.
struct FlowPair {
  const TensorPairs* pairs = nullptr;
  const std::vector<bool>* end_live = nullptr;  // per atom: read after the program has ended
  const std::vector<bool>* carried = nullptr;   // per atom: some program reads it before it writes
  std::array<const DataFlow*, 2> flows = {nullptr, nullptr};

  bool Live(int side, std::uint32_t atom, std::uint32_t p) const;
  // Something that only this side has is read later, and a span that begins here would not have it.
  bool Misses(int side, std::uint32_t atom, std::uint32_t p) const;
  // Exactly one side writes it in the whole program: no growth can make the other side write it.
  bool IsOneSided(std::uint32_t atom) const;
};

// What a stretch of one side has written so far, and what of that is read later. Copying is cheap
// enough to look ahead with.
class WriteScan {
 public:
  WriteScan(const FlowPair* program, int side) : program_(program), side_(side) {}
  void Restart(std::uint32_t p);
  void Step();  // over the op at position()
  std::uint32_t start() const { return start_; }
  std::uint32_t position() const { return position_; }
  bool Wrote(std::uint32_t atom) const { return written_.contains(atom); }
  // Equal on both sides wherever a span may end; 0 when nothing written is read later.
  std::uint64_t signature() const { return signature_; }
  bool holds_private() const { return private_live_ > 0; }
  const std::unordered_map<std::uint32_t, bool>& written() const { return written_; }

 private:
  const FlowPair* program_;
  int side_;
  std::uint32_t start_ = 0, position_ = 0;
  std::unordered_map<std::uint32_t, bool> written_;  // atom -> it is live (private: missed)
  std::uint64_t signature_ = 0;
  int private_live_ = 0;
};

struct Boundary {
  std::vector<std::uint32_t> blockers;  // atoms that forbid a boundary here, ascending
  bool compares = false;                // something written on both sides is live
  bool closes() const { return blockers.empty() && compares; }
};

// A span that wrote this much may end here unless an atom blocks:
// - private, written by the span and read later, unless it is made of inputs alone and spans are
//   replayed in order: then it is there;
// - written by both sides, but live on one only, or with further updates to come on one only;
// - written by one side, while either side reads it later, or it outlives the program and the other
//   side writes it elsewhere in the program.
Boundary CheckBoundary(const FlowPair& program, const WriteScan& reference,
                       const WriteScan& candidate);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CLOSURE_H_
