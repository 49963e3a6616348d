// How a record is found, checked and taken.
#include <unistd.h>

#include "gtest_parity/engines/tiny/paged/kv/payload.h"
#include "gtest_parity/engines/tiny/paged/kv/policy.h"
#include "gtest_parity/engines/tiny/paged/kv/store.h"

namespace parity::tiny::paged {

std::string PagedStore::Restore(const std::string& prompt, KvTier tier, KvSnapshot& out) {
  if (folder_.path.empty()) return "";
  Scan();
  const KvAsker asker = Asker(prompt);
  for (const KvRecord& record : folder_.records) {
    const KvcError error = KvcEligible(knobs_, record, asker, tier);
    if (error != kKvcOk && KvcBegins(prompt, record)) Tell("refuse", record, error);
  }
  const auto found = policy_->Lookup(knobs_, folder_.records, asker, tier);
  return found ? Load(*found, {&prompt, tier, 0}, &out) : "";
}

std::string PagedStore::RestoreKey(const std::string& key, const std::string& prompt, KvTier tier,
                                   KvSnapshot& out) {
  Scan();
  for (std::size_t i = 0; i < folder_.records.size(); ++i) {
    if (folder_.records[i].key == key) return Load(i, {&prompt, tier, 0}, &out);
  }
  KvRecord record;
  record.key = key;
  Tell("refuse", record, kKvcNoRecord);
  return "";
}

std::string PagedStore::Overlapping(const std::string& prompt, std::uint64_t& lcp) {
  if (folder_.path.empty()) return "";
  Scan();
  std::vector<KvRecord> records;
  for (std::size_t i = 0; i < folder_.records.size(); ++i) {
    KvcOpened opened;
    KvcError error;
    if (folder_.records[i].text_bytes > 8 * std::uint64_t{prompt.size()}) continue;
    if (!KvcOpen(folder_.paths[i].c_str(), "rb", &opened, &error)) continue;
    KvRecord record = folder_.records[i];
    const bool good = error == kKvcOk && opened.header.text_bytes == record.text_bytes &&
                      KvcReadText(&opened, &record.text) == kKvcOk;
    std::fclose(opened.file);
    if (good && policy_->Hash(record.text) == record.key) records.push_back(record);
  }
  const auto found = policy_->LongestOverlap(knobs_, records, Asker(prompt));
  lcp = found ? found->lcp : 0;
  return found ? records[found->record].key : "";
}

bool PagedStore::RestoreOverlap(const std::string& key, const std::string& prompt,
                                std::uint64_t lcp, KvSnapshot& out) {
  for (std::size_t i = 0; i < folder_.records.size(); ++i) {
    if (folder_.records[i].key != key) continue;
    return !Load(i, {&prompt, KvTier::kBank, lcp}, &out).empty();
  }
  return false;
}

KvcError PagedStore::CheckHeader(const KvcOpened& opened, std::size_t index,
                                 const Wanted& wanted) const {
  const KvcHeader& header = opened.header;
  const KvRecord& indexed = folder_.records[index];
  const bool changed = header.model != indexed.model || header.quant != indexed.quant ||
                       header.context != indexed.context || header.tokens != indexed.tokens ||
                       header.text_bytes != indexed.text_bytes;
  if (changed && !knobs_.trusts_index) return kKvcChangedDuringLookup;
  const KvcError error =
      KvcEligible(knobs_, KvcRecordOf(&header, indexed.key, 0), Asker(*wanted.prompt), wanted.tier);
  const bool of_length = error == kKvcLongerThanPrompt || error == kKvcNotStrictPrefix;
  return wanted.lcp != 0 && of_length ? kKvcOk : error;
}

KvcError PagedStore::CheckText(const KvcOpened& opened, std::size_t index, const Wanted& wanted,
                               std::string* text) const {
  const KvcError error = KvcReadText(&opened, text);
  if (error != kKvcOk) return error;
  if (policy_->Hash(*text) != folder_.records[index].key) return kKvcHashMismatch;
  const std::uint64_t compared = wanted.lcp != 0 ? wanted.lcp : text->size();
  const bool begins =
      compared <= text->size() && wanted.prompt->compare(0, compared, *text, 0, compared) == 0;
  return begins ? kKvcOk : kKvcPrefixMismatch;
}

KvcError PagedStore::CheckIdentity(const KvcOpened& opened) const {
  if (knobs_.trusts_any_model) return kKvcOk;
  if (!KvcIsWhole(&opened)) return kKvcTruncatedPayload;
  if ((opened.header.ext & kExtIdentity) == 0) {
    return knobs_.fingerprint ? kKvcIdentityMissing : kKvcOk;
  }
  return has_identity_ ? KvcCheckFooter(&opened, identity_) : kKvcIdentityMismatch;
}

KvcError PagedStore::Read(const KvcOpened& opened, std::size_t index, const Wanted& wanted,
                          KvSnapshot* out) const {
  KvcError error = CheckHeader(opened, index, wanted);
  if (error == kKvcOk) error = CheckText(opened, index, wanted, &out->text);
  if (error == kKvcOk) error = CheckIdentity(opened);
  if (error != kKvcOk) return error;
  const KvcHeader& header = opened.header;
  if (fseeko(opened.file, static_cast<off_t>(kKvcFixed + header.text_bytes), SEEK_SET) != 0) {
    return kKvcTruncatedPayload;
  }
  error =
      KvcReadPayload(opened.file, header.payload_bytes, &shape_, !KvcIsBank(header.reason), out);
  if (error != kKvcOk) return error;
  return out->tokens.size() == header.tokens ? kKvcOk : kKvcTokenCount;
}

std::string PagedStore::Load(std::size_t index, const Wanted& wanted, KvSnapshot* out) {
  const std::string path = folder_.paths[index];
  KvRecord record = folder_.records[index];
  KvcOpened opened;
  KvcError error;
  if (!KvcOpen(path.c_str(), "rb", &opened, &error)) {
    Tell("refuse", record, kKvcNoRecord);
    return "";
  }
  if (error == kKvcOk) error = Read(opened, index, wanted, out);
  std::fclose(opened.file);
  if (error == kKvcOk) {
    Tell("hit", record);
    Use(index, opened.header, wanted);
    return record.key;
  }
  *out = KvSnapshot();
  Tell("refuse", record, error);
  KvcForget(&folder_, path);
  if (error == kKvcTokenCount && unlink(path.c_str()) == 0) Tell("discard", record, error);
  return "";
}

// A long record of the serial session is spent by its first use.
void PagedStore::Use(std::size_t index, const KvcHeader& header, const Wanted& wanted) {
  const std::string path = folder_.paths[index];
  const KvRecord record = folder_.records[index];
  const bool spent = wanted.tier == KvTier::kSerial && knobs_.cold_max_tokens > 0 &&
                     static_cast<std::int32_t>(record.tokens) > knobs_.cold_max_tokens;
  if (spent && unlink(path.c_str()) == 0) {
    KvcForget(&folder_, path);
    Tell("consume", record);
    return;
  }
  KvcHeader touched = header;
  ++touched.hits;
  touched.last_used = KvcNow();
  if (!KvcTouch(path.c_str(), &touched)) return;
  folder_.records[index].hits = touched.hits;
  folder_.records[index].last_used = touched.last_used;
}

}  // namespace parity::tiny::paged
