#include "suites/kv/lane_run.h"

#include <utility>

#include "gtest_parity/side/side.h"

namespace parity::kv {
namespace {

std::string Side(bool reference) { return reference ? "the reference" : "the candidate"; }

}  // namespace

template <typename Work>
void LaneRun::Try(const CellKey& key, bool reference, Work work) {
  try {
    work();
  } catch (const SideFailure& failure) {
    failures_[key.Text()] = {reference, Side(reference) + " " + failure.death().Text()};
  } catch (const NotAskable& reason) {
    blocked_[key.Text()] = reason.what();
  } catch (const NotOffered&) {
    throw;
  } catch (const SetupError&) {
    throw;
  } catch (const std::runtime_error& error) {
    failures_[key.Text()] = {reference, Side(reference) + ": " + error.what()};
  }
}

void LaneRun::Save(bool reference) {
  for (const CellKey& key : kAllCells) {
    if (key.saver_reference != reference || key.loader_reference != reference) continue;
    Try(key, reference, [&] { saved_[reference] = phases_.Save(lane_, reference); });
  }
}

void LaneRun::Load(const CellKey& key) {
  const Saved* saved = SavedBy(key.saver_reference);
  if (saved == nullptr) {
    const CellKey own{key.saver_reference, key.saver_reference};
    if (const auto failed = failures_.find(own.Text()); failed != failures_.end()) {
      failures_[key.Text()] = failed->second;
    }
    if (const auto blocked = blocked_.find(own.Text()); blocked != blocked_.end()) {
      blocked_[key.Text()] = blocked->second;
    }
    return;
  }
  if (!saved->HasRecord()) return;
  Try(key, key.loader_reference, [&] {
    cold_[key.Text()] = phases_.Cold(lane_, key.loader_reference, *saved);
    Given given;
    given.place = [&](const std::string& folder) { return CopyInto(saved->RecordPath(), folder); };
    warm_[key.Text()] = phases_.Load(lane_, key.loader_reference, *saved, given);
  });
}

const Saved* LaneRun::SavedBy(bool reference) const {
  const auto found = saved_.find(reference);
  return found == saved_.end() ? nullptr : &found->second;
}

const Loaded* LaneRun::Find(const std::map<std::string, Loaded>& in, const CellKey& key) {
  const auto found = in.find(key.Text());
  return found == in.end() ? nullptr : &found->second;
}

CellResult LaneRun::ResultOf(const CellKey& key, Check check, const Rules& rules) const {
  CellResult result;
  result.key = key;
  result.check = check;
  const CellKey own{true, true};
  const Cell cell = {&lane_,
                     key,
                     SavedBy(key.saver_reference),
                     SavedBy(true),
                     Find(warm_, key),
                     Find(cold_, key),
                     Find(warm_, own),
                     Find(cold_, own),
                     &format_};
  if (const auto blocked = blocked_.find(key.Text()); blocked != blocked_.end()) {
    result.blocked = blocked->second;
    return result;
  }
  const auto failed = failures_.find(key.Text());
  const bool saved = cell.saved != nullptr && cell.reference_saved != nullptr;
  if (failed != failures_.end() && !(check == Check::kRecord && saved)) {
    result.failure = failed->second.words;
    result.failure_is_reference = failed->second.reference;
    return result;
  }
  if (!saved) return result;
  if (check != Check::kRecord && (cell.warm == nullptr || cell.reference_warm == nullptr)) {
    result.checked.Expect(false, std::string(NameOf(check)) + ": no record",
                          "there is no record to load, see the check of the record");
    return result;
  }
  result.checked = Examine(check, cell, rules);
  return result;
}

}  // namespace parity::kv
