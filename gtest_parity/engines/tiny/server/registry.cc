#include "gtest_parity/engines/tiny/server/registry.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

using std::chrono::milliseconds;

}  // namespace

void Registry::Publish(Surface surface, const std::set<std::string>& ids, std::vector<Turn> turns,
                       Owner owner, std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  records_[++published_] = {surface,
                            ids,
                            std::move(turns),
                            owner,
                            generation,
                            now + milliseconds(limits_.ttl_ms),
                            now + milliseconds(limits_.pin_ms)};
  ledger_.Add([](Figures& figures) { ++figures.published; });
  if (records_.size() > limits_.records) Drop(records_.begin());
  Tell();
}

std::map<std::uint64_t, Registry::Record>::iterator Registry::Find(
    Surface surface, const std::set<std::string>& ids) {
  return std::find_if(records_.begin(), records_.end(), [&](const auto& entry) {
    return entry.second.surface == surface && entry.second.ids == ids &&
           entry.second.expires > Clock::now();
  });
}

Registry::Found Registry::Hold(Surface surface, const std::set<std::string>& ids) {
  std::unique_lock lock(mutex_);
  const Clock::time_point until = Clock::now() + milliseconds(limits_.hold_ms);
  auto record = Find(surface, ids);
  while (record != records_.end() && record->second.held) {
    if (changed_.wait_until(lock, until) == std::cv_status::timeout) {
      ledger_.Add(
          [](Figures& figures) { ++figures.sheds[static_cast<int>(Shed::kContinuationHold)]; });
      throw WireError(503, "another request goes on with this tool call", "", "", 5);
    }
    record = Find(surface, ids);
  }
  if (record == records_.end()) {
    ledger_.Add([](Figures& figures) { ++figures.missed; });
    throw WireError(400, "these tool calls are not known here: replay the full history",
                    surface == Surface::kResponses ? "input" : "messages",
                    "continuation_not_found");
  }
  return HoldNow(record);
}

Registry::Found Registry::HoldIfFree(Surface surface, const std::set<std::string>& ids) {
  const std::lock_guard lock(mutex_);
  const auto record = Find(surface, ids);
  if (record == records_.end() || record->second.held) return {};
  return HoldNow(record);
}

Registry::Found Registry::HoldNow(std::map<std::uint64_t, Record>::iterator record) {
  record->second.held = true;
  ledger_.Add([](Figures& figures) { ++figures.resolved; });
  return {record->first, record->second.turns, record->second.owner};
}

void Registry::LetGo(std::uint64_t record) {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(record);
  if (found != records_.end()) found->second.held = false;
  changed_.notify_all();
}

Registry::Claim Registry::Take(std::uint64_t record) {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(record);
  if (found == records_.end()) return {};
  const Claim claim{true, found->second.generation};
  records_.erase(found);
  ledger_.Add([](Figures& figures) { ++figures.claimed; });
  Tell();
  return claim;
}

void Registry::Drop(std::map<std::uint64_t, Record>::iterator record) {
  if (record->second.generation != 0) loose_.push_back(record->second.generation);
  records_.erase(record);
  ledger_.Add([](Figures& figures) { ++figures.expired; });
}

std::vector<std::uint64_t> Registry::Sweep() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  for (auto record = records_.begin(); record != records_.end();) {
    const auto next = std::next(record);
    if (record->second.expires <= now) {
      Drop(record);
    } else if (record->second.generation != 0 && record->second.pinned_until <= now) {
      loose_.push_back(std::exchange(record->second.generation, 0));
      ledger_.Add([](Figures& figures) { ++figures.demoted; });
    }
    record = next;
  }
  Tell();
  return std::exchange(loose_, {});
}

std::uint64_t Registry::Unpin() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, record] : records_) {
    if (record.generation == 0 || record.held) continue;
    ledger_.Add([](Figures& figures) { ++figures.demoted; });
    return std::exchange(record.generation, 0);
  }
  return 0;
}

Registry::Clock::time_point Registry::NextSweep() const {
  const std::lock_guard lock(mutex_);
  Clock::time_point next = Clock::time_point::max();
  for (const auto& [number, record] : records_) {
    next = std::min(next, record.expires);
    if (record.generation != 0) next = std::min(next, record.pinned_until);
  }
  return loose_.empty() ? next : Clock::now();
}

// Whoever waits for a record looks again.
void Registry::Tell() {
  ledger_.Add([this](Figures& figures) { figures.live = records_.size(); });
  changed_.notify_all();
}

}  // namespace parity::tiny_server
