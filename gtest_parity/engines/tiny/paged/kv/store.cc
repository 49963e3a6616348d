#include "gtest_parity/engines/tiny/paged/kv/store.h"

#include <unistd.h>

#include <climits>

#include "gtest_parity/engines/tiny/paged/kv/digest.h"
#include "gtest_parity/engines/tiny/paged/kv/payload.h"
#include "gtest_parity/engines/tiny/paged/kv/policy.h"
#include "gtest_parity/engines/tiny/paged/kv/trailer.h"

namespace parity::tiny::paged {

PagedStore::PagedStore(const KvStoreArgs& args)
    : knobs_(args.knobs), shape_(args.shape), events_(args.events), policy_(MakePolicy()) {
  folder_.path = knobs_.folder;
  if (folder_.path.empty()) return;
  has_identity_ = KvcIdentity(args.model.c_str(), identity_);
  KvcMakeFolder(folder_.path);
  Scan();
  Evict(0, "");
}

void PagedStore::Scan() {
  std::vector<std::string> bad;
  KvcScan(&folder_, &bad);
  for (const std::string& key : bad) {
    KvRecord record;
    record.key = key;
    Tell("refuse", record, kKvcInvalidHeader);
  }
}

void PagedStore::Evict(std::uint64_t incoming, const std::string& prompt) {
  const std::vector<KvRecord> records = folder_.records;
  const std::vector<std::string> paths = folder_.paths;
  for (const std::size_t victim :
       policy_->Evict(knobs_, records, Asker(prompt), incoming, KvcNow())) {
    if (unlink(paths[victim].c_str()) != 0) return;
    KvcForget(&folder_, paths[victim]);
    Tell("evict", records[victim]);
  }
}

bool PagedStore::Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
                       const std::vector<ToolBlock>& blocks, const std::string& incoming) {
  const std::size_t tokens = snapshot.tokens.size();
  if (folder_.path.empty() || tokens > INT_MAX || snapshot.text.size() > UINT_MAX) return false;
  if (static_cast<std::int32_t>(tokens) < knobs_.min_tokens) return false;
  const std::string trailer = KvcTrailer(snapshot.text, blocks);
  KvcImage image = {};
  image.header.quant = Quant();
  image.header.reason = static_cast<std::uint8_t>(reason);
  image.header.ext = static_cast<std::uint8_t>(ext | (trailer.empty() ? 0 : kExtToolMap) |
                                               (knobs_.fingerprint ? kExtIdentity : 0));
  image.header.model = kKvcModel;
  image.header.tokens = static_cast<std::uint32_t>(tokens);
  image.header.context = shape_.context;
  image.header.created = image.header.last_used = KvcNow();
  image.header.payload_bytes = KvcPayloadBytes(&shape_, tokens, !snapshot.logits.empty());
  image.header.text_bytes = static_cast<std::uint32_t>(snapshot.text.size());
  image.shape = &shape_;
  image.snapshot = &snapshot;
  image.tail = trailer + (knobs_.fingerprint ? KvcFooter(identity_) : "");
  const KvRecord made =
      KvcRecordOf(&image.header, policy_->Hash(snapshot.text), KvcImageBytes(&image));
  Scan();
  return Refresh(made, snapshot.text, trailer) || Write(image, made, incoming);
}

// A record of the same text stays as it is, but for its trailer where there is a new one.
bool PagedStore::Refresh(const KvRecord& made, const std::string& text,
                         const std::string& trailer) {
  const std::string path = PathOf(made.key);
  KvcOpened opened;
  KvcError error;
  if (!KvcOpen(path.c_str(), "rb", &opened, &error)) return false;
  std::string present;
  std::string tail = trailer;
  bool same = error == kKvcOk && KvcIsWhole(&opened) && KvcReadText(&opened, &present) == kKvcOk &&
              present == text &&
              policy_->Compatible(knobs_, KvcRecordOf(&opened.header, made.key, 0), made);
  if (same && (opened.header.ext & kExtIdentity) != 0) {
    same = has_identity_ && KvcCheckFooter(&opened, identity_) == kKvcOk;
    tail += KvcFooter(identity_);
  }
  std::fclose(opened.file);
  if (!same) return false;
  if (trailer.empty()) return true;
  opened.header.ext |= kExtToolMap;
  opened.header.last_used = KvcNow();
  if (!KvcReplaceTail(path.c_str(), &opened.header, tail)) return false;
  KvcForget(&folder_, path);
  Scan();
  Tell("refresh", KvcRecordOf(&opened.header, made.key, 0));
  return true;
}

bool PagedStore::Write(const KvcImage& image, const KvRecord& made, const std::string& incoming) {
  if (!policy_->Fits(knobs_, made.file_bytes)) {
    Tell("refuse", made, kKvcOverBudget);
    return false;
  }
  const std::string path = PathOf(made.key);
  KvcForget(&folder_, path);
  Evict(made.file_bytes, incoming);
  if (!KvcWriteFile(path.c_str(), &image)) {
    Tell("refuse", made, kKvcWriteFailed);
    return false;
  }
  folder_.paths.push_back(path);
  folder_.records.push_back(made);
  Tell("store", made);
  return true;
}

std::vector<ToolBlock> PagedStore::ToolBlocks() {
  std::vector<ToolBlock> blocks;
  if (folder_.path.empty()) return blocks;
  Scan();
  for (std::size_t i = 0; i < folder_.records.size(); ++i) {
    KvcOpened opened;
    KvcError error;
    if ((folder_.records[i].ext & kExtToolMap) == 0) continue;
    if (!KvcOpen(folder_.paths[i].c_str(), "rb", &opened, &error)) continue;
    if (error == kKvcOk && KvcIsWhole(&opened) && KvcSeekTrailer(&opened)) {
      KvcReadTrailer(opened.file, KvcTrailerBytes(&opened), &blocks);
    }
    std::fclose(opened.file);
  }
  return blocks;
}

std::unique_ptr<KvStore> MakeStore(const KvStoreArgs& args) {
  return std::make_unique<PagedStore>(args);
}

}  // namespace parity::tiny::paged
