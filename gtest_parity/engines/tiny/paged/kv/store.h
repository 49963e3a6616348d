// The reference's KV store.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_STORE_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_STORE_H_

#include <ctime>

#include "gtest_parity/engines/tiny/paged/kv/folder.h"
#include "gtest_parity/engines/tiny/paged/kv/record_file.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"

namespace parity::tiny::paged {

inline std::uint64_t KvcNow() { return static_cast<std::uint64_t>(std::time(nullptr)); }

// How a record is asked for: whole, or `lcp` bytes of its text.
struct Wanted {
  const std::string* prompt;
  KvTier tier;
  std::uint64_t lcp;  // 0: whole
};

class PagedStore final : public KvStore {
 public:
  explicit PagedStore(const KvStoreArgs& args);

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
  KvAsker Asker(const std::string& prompt) const {
    return {prompt, shape_.context, kKvcModel, Quant()};
  }
  std::uint8_t Quant() const { return static_cast<std::uint8_t>(shape_.element_bytes); }
  std::string PathOf(const std::string& key) const { return folder_.path + "/" + key + ".kv"; }
  void Tell(const char* event, const KvRecord& record, KvcError why = kKvcOk) {
    events_.push_back(
        {event, KvcReasonName(record.reason), record.tokens, record.key, KvcErrorName(why)});
  }
  void Scan();
  void Evict(std::uint64_t incoming, const std::string& prompt);
  bool Refresh(const KvRecord& made, const std::string& text, const std::string& trailer);
  bool Write(const KvcImage& image, const KvRecord& made, const std::string& incoming);
  std::string Load(std::size_t index, const Wanted& wanted, KvSnapshot* out);
  KvcError CheckHeader(const KvcOpened& opened, std::size_t index, const Wanted& wanted) const;
  KvcError CheckText(const KvcOpened& opened, std::size_t index, const Wanted& wanted,
                     std::string* text) const;
  KvcError CheckIdentity(const KvcOpened& opened) const;
  KvcError Read(const KvcOpened& opened, std::size_t index, const Wanted& wanted,
                KvSnapshot* out) const;
  void Use(std::size_t index, const KvcHeader& header, const Wanted& wanted);

  const KvKnobs& knobs_;
  KvShape shape_;
  std::vector<KvEvent>& events_;
  std::unique_ptr<KvPolicy> policy_;
  KvcFolder folder_;
  unsigned char identity_[32] = {};
  bool has_identity_ = false;
};

std::unique_ptr<KvStore> MakeStore(const KvStoreArgs& args);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_STORE_H_
