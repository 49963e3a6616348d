// How the store finds a record, checks it and takes it.
#include <system_error>
#include <tuple>
#include <utility>

#include "gtest_parity/engines/tiny/ported/kv/digest.h"
#include "gtest_parity/engines/tiny/ported/kv/record_store.h"
#include "gtest_parity/engines/tiny/ported/kv/record_writer.h"
#include "gtest_parity/engines/tiny/ported/kv/refusal.h"

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string RecordStore::Restore(const std::string& prompt, KvTier tier, KvSnapshot& out) {
  if (!enabled()) return {};
  Refresh();
  const std::vector<KvRecord> records = index_.Records();
  const KvAsker asker = AskerFor(prompt);
  for (const KvRecord& record : records) {
    const std::string why = policy_.Refusal(knobs_, record, asker, tier);
    if (!why.empty() && BeginsWith(prompt, record)) Report("refuse", record, why);
  }
  const auto found = policy_.Lookup(knobs_, records, asker, tier);
  if (!found) return {};
  const Pick pick{.path = index_.Paths()[*found], .indexed = records[*found], .tier = tier};
  return Load(pick, prompt, out) ? pick.indexed.key : std::string();
}

std::string RecordStore::RestoreKey(const std::string& key, const std::string& prompt, KvTier tier,
                                    KvSnapshot& out) {
  Refresh();
  const std::vector<KvRecord> records = index_.Records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].key != key) continue;
    const Pick pick{.path = index_.Paths()[i], .indexed = records[i], .tier = tier};
    return Load(pick, prompt, out) ? key : std::string();
  }
  KvRecord record;
  record.key = key;
  Report("refuse", record, "no_record");
  return {};
}

std::string RecordStore::Overlapping(const std::string& prompt, std::uint64_t& lcp) {
  lcp = 0;
  if (!enabled()) return {};
  Refresh();
  std::vector<KvRecord> readable;
  const std::vector<KvRecord> records = index_.Records();
  const std::vector<fs::path> paths = index_.Paths();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].text_bytes > 8 * prompt.size()) continue;
    try {
      auto reader = RecordReader::Open(paths[i]);
      if (!reader || reader->header().text_bytes != records[i].text_bytes) continue;
      KvRecord record = records[i];
      record.text = reader->Text();
      if (KeyOf(record.text) == record.key) readable.push_back(std::move(record));
    } catch (const Refusal&) {
      continue;
    }
  }
  const auto found = policy_.LongestOverlap(knobs_, readable, AskerFor(prompt));
  if (!found) return {};
  lcp = found->lcp;
  return readable[found->record].key;
}

bool RecordStore::RestoreOverlap(const std::string& key, const std::string& prompt,
                                 std::uint64_t lcp, KvSnapshot& out) {
  const std::vector<KvRecord> records = index_.Records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].key != key) continue;
    return Load({index_.Paths()[i], records[i], KvTier::kBank, false, lcp}, prompt, out);
  }
  return false;
}

RecordHeader RecordStore::Read(const Pick& pick, const std::string& prompt, KvSnapshot& out) {
  auto reader = RecordReader::Open(pick.path);
  Expect(reader.has_value(), "no_record");
  const RecordHeader header = reader->header();
  const KvRecord now = header.Describe(pick.indexed.key, reader->file_bytes());
  const auto identity = [](const KvRecord& record) {
    return std::tie(record.model, record.quant, record.context, record.tokens, record.text_bytes);
  };
  const bool changed = !knobs_.trusts_index && identity(now) != identity(pick.indexed);
  Expect(!changed, "changed_during_lookup");
  const KvAsker asker = AskerFor(prompt);
  if (const auto objection = Objection(knobs_, now, asker)) throw Refusal(*objection);
  if (pick.whole) {
    const std::string why = policy_.Refusal(knobs_, now, asker, pick.tier);
    for (const auto id : {"longer_than_prompt", "not_strict_prefix", "no_frontier_logits"}) {
      Expect(why != id, id);
    }
  }
  out.text = reader->Text();
  Expect(KeyOf(out.text) == pick.indexed.key, "hash_mismatch");
  const std::string_view shared =
      std::string_view(out.text).substr(0, pick.whole ? out.text.size() : pick.lcp);
  Expect(std::string_view(prompt).starts_with(shared), "prefix_mismatch");
  if (!knobs_.trusts_any_model) reader->CheckIdentity(identity_, knobs_.fingerprint);
  reader->Payload(payload_, out);
  return header;
}

bool RecordStore::Load(const Pick& pick, const std::string& prompt, KvSnapshot& out) try {
  const RecordHeader header = Read(pick, prompt, out);
  Report("hit", pick.indexed);
  Expend(pick, header);
  return true;
} catch (const Refusal& refusal) {
  out = {};
  Report("refuse", pick.indexed, refusal.id());
  index_.Forget(pick.path);
  std::error_code error;
  if (refusal.id() == "token_count" && fs::remove(pick.path, error)) {
    Report("discard", pick.indexed, refusal.id());
  }
  return false;
}

// Long records of the serial session serve once; all others are counted.
void RecordStore::Expend(const Pick& pick, RecordHeader header) {
  std::error_code error;
  const bool once = pick.tier == KvTier::kSerial && knobs_.cold_max_tokens > 0 &&
                    std::cmp_greater(header.tokens, knobs_.cold_max_tokens);
  if (once && fs::remove(pick.path, error)) {
    index_.Forget(pick.path);
    Report("consume", pick.indexed);
    return;
  }
  ++header.hits;
  header.last_used = UnixTime();
  if (!RewriteHeader(pick.path, header)) return;
  index_.Put(pick.path, header.Describe(pick.indexed.key, pick.indexed.file_bytes));
}

}  // namespace parity::tiny::ported
