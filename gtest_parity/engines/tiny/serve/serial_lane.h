// One session after another, in one slot.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SERIAL_LANE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SERIAL_LANE_H_

#include <span>

#include "gtest_parity/engines/tiny/serve/lane.h"
#include "gtest_parity/engines/tiny/serve/session_driver.h"

namespace parity::tiny {

class SerialLane final : public Lane {
 public:
  explicit SerialLane(const SessionDriver& driver) : driver_(driver) {}

  // Goes on with the live session, or back in it, where the prompt continues or begins it;
  // otherwise stores it (evict) and looks on disk. Throws RefusedError (guard `lane_free`) where an
  // answer is under way in it.
  Admission Admit(const std::string& prompt, bool pin) override;
  Admission AdmitRecord(const std::string& key, const std::string& prompt) override;
  // Stores a new prompt's aligned beginning (cold) and waypoints (continued).
  void Fill(const Admission& admission) override;
  void AtFrontier(Session& session) override;
  void Settle(Session&) override {}
  void Stop() override;
  void Forget() override { live_.Clear(); }

 private:
  void CheckUnused() const;
  void Replace(const std::string& prompt);
  Admission Restored(const std::string& key, const std::string& prompt, const KvSnapshot& snapshot);
  void FillTo(std::span<const Piece> pieces);

  const SessionDriver& driver_;
  Session live_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SERIAL_LANE_H_
