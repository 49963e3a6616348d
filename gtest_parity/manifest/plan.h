// What a manifest comes to: the spans, what each exchanges with the rest, and what is left out.
#ifndef GTEST_PARITY_MANIFEST_PLAN_H_
#define GTEST_PARITY_MANIFEST_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/manifest.h"

namespace parity {

struct OpRange {
  std::uint32_t lo = 0, hi = 0;  // [lo, hi)
  std::uint32_t size() const { return hi - lo; }
  bool operator==(const OpRange&) const = default;
};

enum class Write {
  kNone,
  kPure,    // overwritten whole and unread by both sides: poisoned before the replay
  kUpdate,  // in place or in part on a side: its pre-image is restored
};

// A part of a tensor: [start, start + size) along one axis.
struct TensorPart {
  std::uint32_t axis = 0;
  std::uint64_t start = 0, size = 0;
  bool operator==(const TensorPart&) const = default;
};

// A tensor that both sides declare alike (name, kind, dtype, shape) and a span touches.
struct FrontierTensor {
  Kind kind = Kind::kBuffer;
  std::string name;
  bool restored = false;  // the span (of either side) may read what was there before
  Write write = Write::kNone;
  bool compared = false;  // written by the span on both sides and live after it
  // Where only declared slices of it meet that: those. Empty: the whole tensor.
  std::vector<TensorPart> compared_parts;
};

// A tensor that only one side has, or that the sides declare differently.
struct PrivateTensor {
  Kind kind = Kind::kBuffer;
  std::string name;
  bool candidate = false;  // whose it is
  std::string reason;
  // The span reads what was there before it, and nothing can restore that: a difference may come
  // from there.
  bool read_before_span = false;
};

struct Span {
  std::string program;
  std::string slug;   // [a-z0-9_]+, unique within a plan: "decode_layer0_attention"
  std::string label;  // "layer0.attention"; of several ops "layer0.q .. layer0.append"
  OpRange reference, candidate;
  std::vector<FrontierTensor> frontier;
  std::vector<PrivateTensor> not_compared;    // what a view would be needed for
  std::vector<std::string> grown_over;        // private buffers that the span had to swallow
  std::vector<std::string> candidate_writes;  // every tensor that its ops may legally touch,
  std::vector<std::string> reference_writes;  // private ones, scratch and peers' targets included
};

// A decision that both sides make.
struct DecisionPlan {
  std::string name;
  std::string scores;    // the reference's buffer, which holds them until the program has ended
  std::string unscored;  // why there are none to judge by; empty: there are
  // What either side computes later follows from it.
  bool steers = false;
  // Before this op of the candidate the reference's choice can be put in its place, so that what
  // comes later follows from that. 0: it cannot, or need not.
  std::uint32_t forced_before = 0;
  std::string unforced;  // why a decision that steers cannot be forced
};

// Outputs and states that both sides declare alike, judged after a program ran whole.
struct ProgramPlan {
  std::string name;
  bool changed = false;  // ops differ, or it exists on one side only
  bool in_reference = true, in_candidate = true;
  std::uint32_t reference_ops = 0, candidate_ops = 0;
  std::vector<std::string> logits, outputs, states, replicated;
  std::vector<DecisionPlan> decisions;  // in the order in which the candidate makes them
  std::vector<PrivateTensor> not_compared;
  // Labels of ops that differ and that no span covers: possible with an explicit list only.
  std::vector<std::string> uncovered;
};

struct Plan {
  Manifest manifest;
  Description reference, candidate;            // as compared: see_through_views.h
  std::vector<Span> spans;                     // in program order
  std::vector<ProgramPlan> programs;           // those that are not `once`
  // Every op of every program, `once` programs included, has a counterpart with the same operands
  // and the same implementation. No spans and not this: something is left out, and is named.
  bool unchanged = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_PLAN_H_
