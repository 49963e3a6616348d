#include "gtest_parity/manifest/closure.h"

#include <algorithm>

namespace parity {
namespace {

// splitmix64: signatures are sums over sets, so members must not cancel out by accident.
std::uint64_t Mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Two sides that write a name in place are at the same value only if the same rest is to come.
// Where they take another number of steps in all, that cannot be told, but "none left" still can.
bool EquallyFar(const DataFlow::Pending& a, const DataFlow::Pending& b) {
  if (a.left == b.left) return true;
  return a.total != b.total && a.left > 0 && b.left > 0;
}

bool Blocks(const FlowPair& program, std::uint32_t atom, const WriteScan& reference,
            const WriteScan& candidate, bool* compares) {
  const DataFlow &ours = *program.flows[0], &theirs = *program.flows[1];
  const std::uint32_t p = reference.position(), q = candidate.position();
  const TensorPair& pair = program.pairs->at(program.pairs->TensorOfAtom(atom));
  if (!pair.shared()) {
    return pair.declared[0] != nullptr ? program.Misses(kReference, atom, p)
                                       : program.Misses(kCandidate, atom, q);
  }
  const bool live = program.Live(0, atom, p), live_there = program.Live(1, atom, q);
  if (reference.Wrote(atom) && candidate.Wrote(atom)) {
    if (live != live_there) return true;
    if (!live) return false;
    *compares = true;
    return !EquallyFar(ours.PendingUpdates(atom, p), theirs.PendingUpdates(atom, q));
  }
  if (ours.ReadLater(atom, p) || theirs.ReadLater(atom, q)) return true;
  return (live || live_there) && !program.IsOneSided(atom);
}

}  // namespace

bool FlowPair::Live(int side, std::uint32_t atom, std::uint32_t p) const {
  const DataFlow& flow = *flows[static_cast<std::size_t>(side)];
  return flow.ReadLater(atom, p) || ((*end_live)[atom] && flow.Survives(atom, p));
}

bool FlowPair::Misses(int side, std::uint32_t atom, std::uint32_t p) const {
  const DataFlow& flow = *flows[static_cast<std::size_t>(side)];
  return flow.ReadLater(atom, p) && !(pairs->InOrder() && flow.IsMadeOfInputs(atom));
}

bool FlowPair::IsOneSided(std::uint32_t atom) const {
  return flows[0]->WritesAnywhere(atom) != flows[1]->WritesAnywhere(atom);
}

void WriteScan::Restart(std::uint32_t p) {
  start_ = position_ = p;
  written_.clear();
  signature_ = 0;
  private_live_ = 0;
}

void WriteScan::Step() {
  const DataFlow& flow = *program_->flows[static_cast<std::size_t>(side_)];
  // Liveness moves only at an atom's own accesses, so nothing else needs another look.
  for (const Access& access : flow.accesses(position_)) {
    auto found = written_.find(access.atom);
    if (found == written_.end()) {
      if (!access.write) continue;
      found = written_.emplace(access.atom, false).first;
    }
    const TensorPair& pair = program_->pairs->at(program_->pairs->TensorOfAtom(access.atom));
    const bool live = !pair.shared() ? program_->Misses(side_, access.atom, position_ + 1)
                      : program_->IsOneSided(access.atom)
                          ? flow.ReadLater(access.atom, position_ + 1)
                          : program_->Live(side_, access.atom, position_ + 1);
    if (live == found->second) continue;
    found->second = live;
    if (pair.shared()) {
      signature_ ^= Mixed(access.atom);
    } else {
      private_live_ += live ? 1 : -1;
    }
  }
  ++position_;
}

Boundary CheckBoundary(const FlowPair& program, const WriteScan& reference,
                       const WriteScan& candidate) {
  Boundary boundary;
  for (const auto& [atom, live] : reference.written()) {
    if (Blocks(program, atom, reference, candidate, &boundary.compares)) {
      boundary.blockers.push_back(atom);
    }
  }
  for (const auto& [atom, live] : candidate.written()) {
    if (reference.Wrote(atom)) continue;
    if (Blocks(program, atom, reference, candidate, &boundary.compares)) {
      boundary.blockers.push_back(atom);
    }
  }
  std::sort(boundary.blockers.begin(), boundary.blockers.end());
  return boundary;
}

}  // namespace parity
