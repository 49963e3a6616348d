// Several sessions at a time, each in a bank.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_CONTINUOUS_LANE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_CONTINUOUS_LANE_H_

#include <optional>

#include "gtest_parity/engines/tiny/serve/lane.h"
#include "gtest_parity/engines/tiny/serve/session_driver.h"

namespace parity::tiny {

class ContinuousLane final : public Lane {
 public:
  // `evicts_pinned` is a mutant's.
  ContinuousLane(const SessionDriver& driver, bool evicts_pinned);

  // Goes on in the bank whose text the prompt strictly continues. Otherwise takes a free bank, or
  // the one that was used longest ago and is not pinned (storing it: bank-evict), and fills it from
  // the record with the longest text, or with what a bank or a record has in common with the
  // prompt, whichever is more. Throws RefusedError (guard `bank_available`) where all are
  // pinned or in use.
  Admission Admit(const std::string& prompt, bool pin) override;
  Admission AdmitRecord(const std::string& key, const std::string& prompt) override;
  void Fill(const Admission& admission) override;
  void AtFrontier(Session&) override {}
  void Settle(Session& session) override;  // bank-checkpoint, where one is due
  void Stop() override;
  void Forget() override;

 private:
  struct Overlap {
    const Session* bank = nullptr;
    std::uint64_t lcp = 0;
  };

  Session* FindWarm(const std::string& prompt);
  Overlap FindOverlap(const std::string& prompt) const;
  Session& Claim(const std::string& prompt);
  Session* ChooseBank();
  Admission Cold(Session& bank, const std::string& prompt, const std::optional<KvSnapshot>& copy,
                 const Overlap& overlap, std::int32_t copied_stored);
  Admission Partial(Session& bank, const std::string& prompt, const KvSnapshot& snapshot,
                    std::uint64_t lcp, std::int32_t stored);
  Admission Whole(Session& bank, const std::string& key, const std::string& prompt,
                  const KvSnapshot& snapshot);

  const SessionDriver& driver_;
  bool evicts_pinned_;
  std::vector<Session> banks_;
  std::uint64_t clock_ = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_CONTINUOUS_LANE_H_
