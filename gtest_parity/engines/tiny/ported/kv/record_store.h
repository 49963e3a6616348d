// The port's KV store.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_STORE_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_STORE_H_

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/engines/tiny/ported/kv/prefix_policy.h"
#include "gtest_parity/engines/tiny/ported/kv/record_index.h"
#include "gtest_parity/engines/tiny/ported/kv/record_reader.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"

namespace parity::tiny::ported {

class RecordStore final : public KvStore {
 public:
  explicit RecordStore(const KvStoreArgs& args);

  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>& blocks, const std::string& incoming) override;
  std::string Restore(const std::string& prompt, KvTier tier, KvSnapshot& out) override;
  std::string RestoreKey(const std::string& key, const std::string& prompt, KvTier tier,
                         KvSnapshot& out) override;
  std::string Overlapping(const std::string& prompt, std::uint64_t& lcp) override;
  bool RestoreOverlap(const std::string& key, const std::string& prompt, std::uint64_t lcp,
                      KvSnapshot& out) override;
  std::vector<ToolBlock> ToolBlocks() override;

 private:
  // A record that was picked, and how much of its text the prompt has to begin with.
  struct Pick {
    std::filesystem::path path;
    KvRecord indexed;
    KvTier tier = KvTier::kSerial;
    bool whole = true;
    std::uint64_t lcp = 0;
  };

  static std::uint64_t UnixTime() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(since).count());
  }
  bool enabled() const { return !index_.folder().empty(); }
  KvAsker AskerFor(const std::string& prompt) const;
  RecordHeader HeaderFor(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext) const;
  void Refresh();
  void MakeRoom(std::uint64_t bytes, const std::string& prompt);
  bool RefreshTrailer(const KvRecord& made, const std::string& text, const std::string& trailer);
  bool Load(const Pick& pick, const std::string& prompt, KvSnapshot& out);
  RecordHeader Read(const Pick& pick, const std::string& prompt, KvSnapshot& out);
  void Expend(const Pick& pick, RecordHeader header);
  void Report(std::string_view event, const KvRecord& record, std::string_view why = "");

  const KvKnobs& knobs_;
  KvShape shape_;
  SessionPayload payload_;
  std::vector<KvEvent>& events_;
  PrefixPolicy policy_;
  RecordIndex index_;
  std::string identity_;
};

std::unique_ptr<KvStore> MakeStore(const KvStoreArgs& args);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_STORE_H_
