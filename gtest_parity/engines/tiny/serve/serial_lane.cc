#include "gtest_parity/engines/tiny/serve/serial_lane.h"

#include <algorithm>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {

void SerialLane::CheckUnused() const {
  if (!live_.in_use) return;
  throw RefusedError({"lane_free", "no answer is under way in the serial lane", "{}"},
                     "serve: an answer is under way in the serial lane, expected it to be closed");
}

Admission SerialLane::Admit(const std::string& prompt, bool) {
  CheckUnused();
  const std::string key = live_.IsFree() ? "" : driver_.policy().Hash(live_.text);
  const bool goes_on = prompt.size() > live_.text.size() || !live_.logits.empty();
  if (!live_.IsFree() && goes_on && prompt.starts_with(live_.text)) {
    return {&live_, driver_.pieces().Of(prompt, live_.text.size()), key};
  }
  if (!live_.IsFree() && live_.text.starts_with(prompt)) {
    return {&live_, driver_.Rewind(live_, prompt, prompt.size()), key};
  }
  Replace(prompt);
  KvSnapshot snapshot;
  const std::string found = driver_.store().Restore(prompt, KvTier::kSerial, snapshot);
  return Restored(found, prompt, snapshot);
}

void SerialLane::Replace(const std::string& prompt) {
  if (!live_.IsFree()) driver_.Store(live_, StoreReason::kEvict, prompt);
  live_.Clear();
}

Admission SerialLane::Restored(const std::string& key, const std::string& prompt,
                               const KvSnapshot& snapshot) {
  if (key.empty()) return {&live_, driver_.pieces().Of(prompt, 0), "", false, true};
  driver_.Adopt(live_, snapshot);
  return {&live_, driver_.pieces().Of(prompt, live_.text.size()), key, true};
}

Admission SerialLane::AdmitRecord(const std::string& key, const std::string& prompt) {
  CheckUnused();
  Replace(prompt);
  KvSnapshot snapshot;
  const std::string found = driver_.store().RestoreKey(key, prompt, KvTier::kSerial, snapshot);
  return Restored(found, prompt, snapshot);
}

void SerialLane::Fill(const Admission& admission) {
  std::span<const Piece> rest = admission.rest;
  const KvKnobs& knobs = driver_.knobs();
  const auto total = static_cast<std::int32_t>(rest.size());
  if (live_.IsFree() && total >= knobs.min_tokens && total <= knobs.cold_max_tokens) {
    const std::int32_t cold = driver_.policy().StoreLength(knobs, total);
    // The cold record takes the place of waypoints up to it.
    live_.stored = cold;
    FillTo(rest.first(static_cast<std::size_t>(cold)));
    rest = rest.subspan(static_cast<std::size_t>(cold));
    if (!driver_.Store(live_, StoreReason::kCold, "")) live_.stored = 0;
  }
  FillTo(rest);
}

// In steps that end at waypoints.
void SerialLane::FillTo(std::span<const Piece> pieces) {
  while (!pieces.empty()) {
    const std::size_t most = std::min<std::size_t>(pieces.size(), Workers::kChunk);
    std::size_t rows = 1;
    for (; rows < most; ++rows) {
      const auto length = live_.Length() + static_cast<std::int32_t>(rows);
      if (driver_.policy().ContinuedTarget(driver_.knobs(), length, live_.stored) != 0) break;
    }
    driver_.Prefill(live_, pieces.first(rows));
    pieces = pieces.subspan(rows);
    AtFrontier(live_);
  }
}

void SerialLane::AtFrontier(Session& session) {
  const std::int32_t due =
      driver_.policy().ContinuedTarget(driver_.knobs(), session.Length(), session.stored);
  if (due != 0 && driver_.Store(session, StoreReason::kContinued, "")) session.stored = due;
}

void SerialLane::Stop() {
  if (!live_.IsFree()) driver_.Store(live_, StoreReason::kShutdown, "");
  live_.Clear();
}

}  // namespace parity::tiny
