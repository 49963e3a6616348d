// Drives one side through a short scenario again and again: looked at, with values overwritten,
// with other tokens.
#ifndef GTEST_PARITY_REPLAY_PROBE_H_
#define GTEST_PARITY_REPLAY_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/probe.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/cut.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Asks one side. Every probe begins with a reset and looks at what each program leaves for its
// caller. A death of the side is part of the evidence. Arguments outlive this object.
class Prober {
 public:
  Prober(const Plan& plan, const Workload& workload, bool candidate, Side& side);

  // Every cut looked at, by its tap or by a snapshot between two stretches of ops, and nothing
  // overwritten: nothing moves. Where something does, the first cut whose observation moves it is
  // named.
  ProbeEvidence ObserverNeutrality();
  // Every value overwritten with itself: nothing moves. Each with another: something does.
  // Of a tap-only side.
  ProbeEvidence WriteBack();
  // Another token moves no earlier row of its sequence, no row of another sequence, and its own.
  ProbeEvidence Causality();

 private:
  struct Change {  // what is done otherwise than at first
    std::string what;
    std::size_t taps = 0;              // how many of the cuts are looked at, from the first on
    bool write_back = false;           // each of those overwritten with itself
    const Cut* overwritten = nullptr;  // with another value; no other cut is looked at
    std::optional<std::pair<std::size_t, std::size_t>> token;  // run and row of another token
  };
  struct Seen {
    std::vector<ProbeComparison> alike, own;  // own: the row of the other token
  };

  struct Look {  // a comparison in a script
    bool own;
    std::size_t index;
    std::string run, tensor;
  };

  void Begin(ProbeEvidence& evidence);
  Seen Run(const Change& change, ProbeEvidence& evidence);
  void AddRun(Script& script, const WorkloadRun& run, const Change& change) const;
  static void RunInStretches(Script& script, const std::string& program, std::uint32_t ops,
                             std::vector<const Cut*> cuts);
  void AddLooks(Script& script, std::size_t run, const Change& change,
                std::vector<Look>& looks) const;
  WorkloadRun WithOtherToken(WorkloadRun run, std::size_t row) const;
  std::size_t SequenceOf(std::size_t run, std::size_t row) const;
  void NameTheCut(ProbeEvidence& evidence);
  ElementRanges Rows(const Change& change, std::size_t run, const Tensor& tensor, bool own) const;
  std::vector<TensorRef> ResultsOf(const std::string& program) const;

  const Plan& plan_;
  const Workload& workload_;
  const Description& description_;
  Side& side_;
  const std::uint32_t ranks_;
  std::vector<Cut> cuts_;
  std::vector<WorkloadRun> runs_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_PROBE_H_
