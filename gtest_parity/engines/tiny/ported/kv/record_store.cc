#include "gtest_parity/engines/tiny/ported/kv/record_store.h"

#include <system_error>
#include <utility>

#include "gtest_parity/engines/tiny/ported/kv/digest.h"
#include "gtest_parity/engines/tiny/ported/kv/record_writer.h"
#include "gtest_parity/engines/tiny/ported/kv/refusal.h"
#include "gtest_parity/engines/tiny/ported/kv/tool_trailer.h"

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

void CreatePrivate(const fs::path& folder) {
  std::error_code error;
  if (folder.has_parent_path() && !fs::exists(folder.parent_path(), error)) {
    CreatePrivate(folder.parent_path());
  }
  if (fs::create_directory(folder, error)) {
    fs::permissions(folder, fs::perms::owner_all, error);
  }
}

}  // namespace

RecordStore::RecordStore(const KvStoreArgs& args)
    : knobs_(args.knobs),
      shape_(args.shape),
      payload_(args.shape),
      events_(args.events),
      index_(args.knobs.folder) {
  if (!enabled()) return;
  identity_ = IdentityOf(args.model);
  CreatePrivate(index_.folder());
  Refresh();
  MakeRoom(0, "");
}

void RecordStore::Report(std::string_view event, const KvRecord& record, std::string_view why) {
  const auto reason = static_cast<StoreReason>(record.reason);
  events_.push_back({std::string(event), std::string(NameOf(reason)), record.tokens, record.key,
                     std::string(why)});
}

KvAsker RecordStore::AskerFor(const std::string& prompt) const {
  return {prompt, shape_.context, kTinyModel, static_cast<std::uint8_t>(shape_.element_bytes)};
}

void RecordStore::Refresh() {
  for (std::string& key : index_.Refresh()) {
    KvRecord record;
    record.key = std::move(key);
    Report("refuse", record, "invalid_header");
  }
}

void RecordStore::MakeRoom(std::uint64_t bytes, const std::string& prompt) {
  const std::vector<KvRecord> records = index_.Records();
  const std::vector<fs::path> paths = index_.Paths();
  for (const std::size_t victim :
       policy_.Evict(knobs_, records, AskerFor(prompt), bytes, UnixTime())) {
    std::error_code error;
    if (!fs::remove(paths[victim], error)) return;
    index_.Forget(paths[victim]);
    Report("evict", records[victim]);
  }
}

RecordHeader RecordStore::HeaderFor(const KvSnapshot& snapshot, StoreReason reason,
                                    std::uint8_t ext) const {
  RecordHeader header;
  header.quant = static_cast<std::uint8_t>(shape_.element_bytes);
  header.reason = reason;
  header.ext = ext;
  if (knobs_.fingerprint) header.ext |= kExtIdentity;
  header.model = kTinyModel;
  header.tokens = static_cast<std::uint32_t>(snapshot.tokens.size());
  header.context = shape_.context;
  header.created = header.last_used = UnixTime();
  header.payload_bytes = payload_.Size(snapshot.tokens.size(), !snapshot.logits.empty());
  header.text_bytes = static_cast<std::uint32_t>(snapshot.text.size());
  return header;
}

bool RecordStore::Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
                        const std::vector<ToolBlock>& blocks, const std::string& incoming) {
  if (!enabled() || std::cmp_less(snapshot.tokens.size(), knobs_.min_tokens)) return false;
  if (!std::in_range<std::uint32_t>(snapshot.text.size())) return false;
  const std::string trailer = EncodeTrailer(snapshot.text, blocks);
  RecordHeader header = HeaderFor(snapshot, reason, ext);
  if (!trailer.empty()) header.ext |= kExtToolMap;
  const std::string tail = trailer + (knobs_.fingerprint ? IdentityFooter(identity_) : "");
  const KvRecord made = header.Describe(KeyOf(snapshot.text), header.TrailerAt() + tail.size());
  Refresh();
  if (RefreshTrailer(made, snapshot.text, trailer)) return true;
  if (!policy_.Fits(knobs_, made.file_bytes)) {
    Report("refuse", made, "over_budget");
    return false;
  }
  const fs::path path = index_.PathOf(made.key);
  index_.Forget(path);
  MakeRoom(made.file_bytes, incoming);
  if (!WriteRecord(path, header, snapshot, payload_, tail)) {
    Report("refuse", made, "write_failed");
    return false;
  }
  index_.Put(path, made);
  Report("store", made);
  return true;
}

bool RecordStore::RefreshTrailer(const KvRecord& made, const std::string& text,
                                 const std::string& trailer) try {
  const fs::path path = index_.PathOf(made.key);
  auto reader = RecordReader::Open(path);
  if (!reader || !reader->IsWhole() || reader->Text() != text) return false;
  RecordHeader header = reader->header();
  if (!policy_.Compatible(knobs_, header.Describe(made.key, 0), made)) return false;
  reader->CheckIdentity(identity_, false);
  if (trailer.empty()) return true;
  header.ext |= kExtToolMap;
  header.last_used = UnixTime();
  const std::string tail = header.Has(kExtIdentity) ? trailer + IdentityFooter(identity_) : trailer;
  if (!ReplaceTail(path, header, tail)) return false;
  const KvRecord refreshed = header.Describe(made.key, header.TrailerAt() + tail.size());
  index_.Put(path, refreshed);
  Report("refresh", refreshed);
  return true;
} catch (const Refusal&) {
  return false;
}

std::vector<ToolBlock> RecordStore::ToolBlocks() {
  std::vector<ToolBlock> all;
  if (!enabled()) return all;
  Refresh();
  for (const fs::path& path : index_.Paths()) {
    try {
      auto reader = RecordReader::Open(path);
      if (!reader) continue;
      for (ToolBlock& block : reader->ToolBlocks()) all.push_back(std::move(block));
    } catch (const Refusal&) {
      continue;
    }
  }
  return all;
}

std::unique_ptr<KvStore> MakeStore(const KvStoreArgs& args) {
  return std::make_unique<RecordStore>(args);
}

}  // namespace parity::tiny::ported
