// A side in the judge's own process, for debuggers and unit tests.
#ifndef GTEST_PARITY_SIDE_ENGINE_IN_THIS_PROCESS_H_
#define GTEST_PARITY_SIDE_ENGINE_IN_THIS_PROCESS_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engine/collective.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/rank_group.h"
#include "gtest_parity/side/side.h"

namespace parity {

// A crash, a hang or a stray store of the engine hits the judge: what it returns is no evidence.
// Has no deadlines and ignores `env` and `library_path`.
class EngineInThisProcess : public Side {
 public:
  // Throws SetupError, or SideFailure when the engine itself fails.
  explicit EngineInThisProcess(SideOptions side);

  std::vector<Results> Run(const std::vector<Script>& scripts) override;
  bool alive() const override { return true; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override;
  std::vector<std::string> MappedObjects() const override;
  std::string OutputTail() const override { return ""; }

 private:
  void ThrowIfAny(std::vector<RankError> errors, const std::vector<Script>& scripts);

  SideOptions side_;
  std::vector<RankProgress> progress_;
  ThreadCollective collective_;
  std::unique_ptr<RankGroup> group_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_ENGINE_IN_THIS_PROCESS_H_
