// A suite's run as GoogleTest drives it: cases, the reference, then the candidate, and a verdict on
// each case.
#ifndef GTEST_PARITY_SESSION_CAMPAIGN_H_
#define GTEST_PARITY_SESSION_CAMPAIGN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/session/case.h"

namespace parity {

struct RecordedReference;

// RecordReference, StartCandidate and Stop never throw: what goes wrong is every case's verdict.
class Campaign {
 public:
  virtual ~Campaign() = default;

  virtual const Manifest& manifest() const = 0;
  virtual std::uint64_t seed() const = 0;  // what was drawn at random was drawn from it
  // Every case, in the order in which they are listed; no side is needed.
  virtual std::vector<Case> Cases() const = 0;

  // Does with the reference what `selected` needs; its processes have ended when this returns.
  virtual void RecordReference(const std::vector<Case>& selected) = 0;
  virtual void StartCandidate() = 0;
  virtual void Stop() = 0;

  virtual Verdict Judge(const Case& which) = 0;
  // The verdict on every case but Preflight, where a side broke or both are one.
  virtual std::optional<Verdict> Trouble() const = 0;

  // False once a side was asked that is no evidence.
  virtual bool is_evidence() const = 0;
  // Whose recording stands for the reference; null where the reference ran.
  virtual const RecordedReference* recorded() const { return nullptr; }
  // The last lines that the side in use printed.
  virtual std::string OutputTail() const = 0;
  // Where the time went.
  virtual std::string SecondsText() const = 0;
  // What is known of the run that no case tells: what was not kept, notes.
  virtual std::vector<std::string> Notes() const = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_CAMPAIGN_H_
