#include "gtest_parity/engines/tiny/serve/continuous_lane.h"

#include <algorithm>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {

ContinuousLane::ContinuousLane(const SessionDriver& driver, bool evicts_pinned)
    : driver_(driver),
      evicts_pinned_(evicts_pinned),
      banks_(static_cast<std::size_t>(driver.knobs().banks)) {
  for (std::size_t i = 0; i < banks_.size(); ++i) {
    banks_[i].slot = static_cast<std::uint32_t>(i + 1);
  }
}

Session* ContinuousLane::FindWarm(const std::string& prompt) {
  Session* warm = nullptr;
  for (Session& bank : banks_) {
    if (bank.in_use || bank.IsFree() || bank.text.size() >= prompt.size()) continue;
    if (!prompt.starts_with(bank.text)) continue;
    if (warm == nullptr || bank.text.size() > warm->text.size()) warm = &bank;
  }
  return warm;
}

ContinuousLane::Overlap ContinuousLane::FindOverlap(const std::string& prompt) const {
  Overlap best;
  for (const Session& bank : banks_) {
    const auto [differs, ignored] =
        std::mismatch(bank.text.begin(), bank.text.end(), prompt.begin(), prompt.end());
    const auto lcp = static_cast<std::uint64_t>(differs - bank.text.begin());
    if (bank.IsFree() || std::cmp_less(lcp, driver_.knobs().min_lcp)) continue;
    if (best.bank == nullptr || lcp > best.lcp) best = {&bank, lcp};
  }
  return best;
}

Session* ContinuousLane::ChooseBank() {
  Session* chosen = nullptr;
  for (Session& bank : banks_) {
    if (bank.in_use) continue;
    if (bank.IsFree()) return &bank;
    if (bank.pinned && !evicts_pinned_) continue;
    if (chosen == nullptr || bank.used < chosen->used) chosen = &bank;
  }
  return chosen;
}

Session& ContinuousLane::Claim(const std::string& prompt) {
  Session* bank = ChooseBank();
  if (bank == nullptr) {
    throw RefusedError({"bank_available", "a bank is free, or neither pinned nor in use",
                        "{\"banks\": " + std::to_string(banks_.size()) + "}"},
                       "serve: all " + std::to_string(banks_.size()) +
                           " banks are pinned or in use, expected one that is neither");
  }
  if (!bank->IsFree()) driver_.Store(*bank, StoreReason::kBankEvict, prompt);
  bank->Clear();
  bank->used = ++clock_;
  return *bank;
}

Admission ContinuousLane::Admit(const std::string& prompt, bool pin) {
  if (Session* warm = FindWarm(prompt)) {
    warm->used = ++clock_;
    warm->pinned = pin;
    return {warm, driver_.pieces().Of(prompt, warm->text.size()),
            driver_.policy().Hash(warm->text)};
  }
  const Overlap overlap = FindOverlap(prompt);
  std::optional<KvSnapshot> copy;
  std::int32_t stored = 0;
  if (overlap.bank != nullptr && ChooseBank() != nullptr) {
    copy = driver_.Save(*overlap.bank);
    stored = overlap.bank->stored;
  }
  Session& bank = Claim(prompt);
  Admission admission = Cold(bank, prompt, copy, overlap, stored);
  bank.pinned = pin;
  return admission;
}

Admission ContinuousLane::Cold(Session& bank, const std::string& prompt,
                               const std::optional<KvSnapshot>& copy, const Overlap& overlap,
                               std::int32_t copied_stored) {
  KvSnapshot snapshot;
  const std::string key = driver_.store().Restore(prompt, KvTier::kBank, snapshot);
  if (!key.empty()) return Whole(bank, key, prompt, snapshot);
  std::uint64_t lcp = 0;
  const std::string other = driver_.store().Overlapping(prompt, lcp);
  const bool on_disk = !other.empty() && lcp > overlap.lcp;
  if (on_disk && driver_.store().RestoreOverlap(other, prompt, lcp, snapshot)) {
    Admission admission = Partial(bank, prompt, snapshot, lcp, 0);
    admission.restored_key = other;
    admission.from_disk = true;
    return admission;
  }
  if (!copy) return {&bank, driver_.pieces().Of(prompt, 0), "", false, true};
  return Partial(bank, prompt, *copy, overlap.lcp, copied_stored);
}

Admission ContinuousLane::Partial(Session& bank, const std::string& prompt,
                                  const KvSnapshot& snapshot, std::uint64_t lcp,
                                  std::int32_t stored) {
  driver_.Adopt(bank, snapshot);
  bank.stored = stored;
  std::vector<Piece> rest = driver_.Rewind(bank, prompt, lcp);
  return {&bank, std::move(rest), driver_.policy().Hash(snapshot.text)};
}

Admission ContinuousLane::Whole(Session& bank, const std::string& key, const std::string& prompt,
                                const KvSnapshot& snapshot) {
  driver_.Adopt(bank, snapshot);
  bank.logits.clear();
  return {&bank, driver_.pieces().Of(prompt, bank.text.size()), key, true};
}

Admission ContinuousLane::AdmitRecord(const std::string& key, const std::string& prompt) {
  Session& bank = Claim(prompt);
  KvSnapshot snapshot;
  const std::string found = driver_.store().RestoreKey(key, prompt, KvTier::kBank, snapshot);
  if (found.empty()) return {&bank, {}, "", false, true};
  return Whole(bank, found, prompt, snapshot);
}

void ContinuousLane::Fill(const Admission& admission) {
  std::span<const Piece> rest = admission.rest;
  while (!rest.empty()) {
    const std::size_t rows = std::min<std::size_t>(rest.size(), Workers::kChunk);
    driver_.Prefill(*admission.session, rest.first(rows));
    rest = rest.subspan(rows);
  }
}

void ContinuousLane::Settle(Session& session) {
  if (!driver_.knobs().bank_checkpoint) return;
  if (!driver_.policy().BankDue(driver_.knobs(), session.Length(), session.stored)) return;
  if (driver_.Store(session, StoreReason::kBankCheckpoint, "")) session.stored = session.Length();
}

void ContinuousLane::Stop() {
  for (Session& bank : banks_) {
    if (!bank.IsFree()) driver_.Store(bank, StoreReason::kBankShutdown, "");
    bank.Clear();
  }
}

void ContinuousLane::Forget() {
  for (Session& bank : banks_) bank.Clear();
}

}  // namespace parity::tiny
