#include "gtest_parity/engines/tiny/serve/faulty_store.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace parity::tiny {
namespace {

// Hands on every call; a fault overrides what it spoils.
class Wrapped : public KvStore {
 public:
  Wrapped(std::unique_ptr<KvStore> right, std::string folder)
      : right_(std::move(right)), folder_(std::move(folder)) {}

  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>& blocks, const std::string& incoming) override {
    return right_->Store(snapshot, reason, ext, blocks, incoming);
  }
  std::string Restore(const std::string& prompt, KvTier tier, KvSnapshot& out) override {
    const std::string key = right_->Restore(prompt, tier, out);
    return key.empty() ? key : Spoil(key, out);
  }
  std::string RestoreKey(const std::string& key, const std::string& prompt, KvTier tier,
                         KvSnapshot& out) override {
    return right_->RestoreKey(key, prompt, tier, out).empty() ? "" : Spoil(key, out);
  }
  std::string Overlapping(const std::string& prompt, std::uint64_t& lcp) override {
    return right_->Overlapping(prompt, lcp);
  }
  bool RestoreOverlap(const std::string& key, const std::string& prompt, std::uint64_t lcp,
                      KvSnapshot& out) override {
    return right_->RestoreOverlap(key, prompt, lcp, out) && !Spoil(key, out).empty();
  }
  std::vector<ToolBlock> ToolBlocks() override { return right_->ToolBlocks(); }

 protected:
  // What is made of a restored snapshot: the key, or empty where it is not used.
  virtual std::string Spoil(const std::string& key, KvSnapshot&) { return key; }
  std::string PathOf(const std::string& key) const { return folder_ + "/" + key + ".kv"; }

  std::unique_ptr<KvStore> right_;
  std::string folder_;
};

class CachedZero : public Wrapped {
 public:
  using Wrapped::Wrapped;

 protected:
  std::string Spoil(const std::string&, KvSnapshot& out) override {
    out = {};
    return "";
  }
};

// The first half of each token's row is what the second half is, and the other way about.
class SwappedHeads : public Wrapped {
 public:
  using Wrapped::Wrapped;

 protected:
  std::string Spoil(const std::string& key, KvSnapshot& out) override {
    // Layers, keys and values: six rows of a token, each of two heads.
    const std::size_t row = out.rows.size() / out.tokens.size() / 6;
    for (std::size_t at = 0; at + row <= out.rows.size(); at += row) {
      const auto begin = out.rows.begin() + static_cast<std::ptrdiff_t>(at);
      const auto half = static_cast<std::ptrdiff_t>(row / 2);
      std::rotate(begin, begin + half, begin + 2 * half);
    }
    return key;
  }
};

// Every token gets the keys and values of the one before it; the first keeps its own.
class PositionOffByOne : public Wrapped {
 public:
  using Wrapped::Wrapped;

 protected:
  std::string Spoil(const std::string& key, KvSnapshot& out) override {
    const std::size_t part = out.rows.size() / 6, row = part / out.tokens.size();
    for (std::size_t at = 0; at < out.rows.size(); at += part) {
      const auto begin = out.rows.begin() + static_cast<std::ptrdiff_t>(at);
      std::copy_backward(begin, begin + static_cast<std::ptrdiff_t>(part - row),
                         begin + static_cast<std::ptrdiff_t>(part));
    }
    return key;
  }
};

class WrongReason : public Wrapped {
 public:
  using Wrapped::Wrapped;
  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>& blocks, const std::string& incoming) override {
    return right_->Store(snapshot, Other(reason), ext, blocks, incoming);
  }

 private:
  // Of the same family, so that the record can be restored.
  static StoreReason Other(StoreReason reason) {
    if (reason == StoreReason::kBankEvict) return StoreReason::kBankShutdown;
    if (reason >= StoreReason::kBankEvict) return StoreReason::kBankEvict;
    return reason == StoreReason::kEvict ? StoreReason::kShutdown : StoreReason::kEvict;
  }
};

// Writes bytes into a record that has been restored.
class Writes : public Wrapped {
 public:
  Writes(std::unique_ptr<KvStore> right, std::string folder, std::streamoff at, std::string bytes)
      : Wrapped(std::move(right), std::move(folder)), at_(at), bytes_(std::move(bytes)) {}

 protected:
  std::string Spoil(const std::string& key, KvSnapshot&) override {
    std::fstream file(PathOf(key), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(at_);
    file << bytes_;
    return key;
  }

 private:
  std::streamoff at_;
  std::string bytes_;
};

// The logits are those that were there before the record was loaded.
class StaleLogits : public Wrapped {
 public:
  using Wrapped::Wrapped;

 protected:
  std::string Spoil(const std::string& key, KvSnapshot& out) override {
    before_.resize(out.logits.size());
    out.logits.swap(before_);
    return key;
  }

 private:
  std::vector<float> before_;
};

class TrailerDropped : public Wrapped {
 public:
  using Wrapped::Wrapped;
  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>&, const std::string& incoming) override {
    return right_->Store(snapshot, reason, ext, {}, incoming);
  }
};

// What spoils a store by a record's name.
class Named : public Wrapped {
 public:
  Named(std::unique_ptr<KvStore> right, std::string folder, const KvPolicy& policy)
      : Wrapped(std::move(right), std::move(folder)), policy_(policy) {}

 protected:
  std::string PathFor(const KvSnapshot& snapshot) const {
    return PathOf(policy_.Hash(snapshot.text));
  }

 private:
  const KvPolicy& policy_;
};

// A record in the way goes before the new one is there.
class UnlinksFirst : public Named {
 public:
  using Named::Named;
  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>& blocks, const std::string& incoming) override {
    std::error_code ignored;
    std::filesystem::remove(PathFor(snapshot), ignored);
    return right_->Store(snapshot, reason, ext, blocks, incoming);
  }
};

// The payload says that its writer had room for one token less: another body, and no reader minds.
class OtherBody : public Named {
 public:
  using Named::Named;
  bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
             const std::vector<ToolBlock>& blocks, const std::string& incoming) override {
    constexpr std::streamoff kFixed = 52, kContextAt = 8;
    if (!right_->Store(snapshot, reason, ext, blocks, incoming)) return false;
    std::fstream file(PathFor(snapshot), std::ios::binary | std::ios::in | std::ios::out);
    const std::streamoff at =
        kFixed + static_cast<std::streamoff>(snapshot.text.size()) + kContextAt;
    std::uint32_t context = 0;
    file.seekg(at);
    file.read(reinterpret_cast<char*>(&context), sizeof(context));
    --context;
    file.seekp(at);
    file.write(reinterpret_cast<const char*>(&context), sizeof(context));
    return true;
  }
};

}  // namespace

std::unique_ptr<KvStore> WithKvFault(std::unique_ptr<KvStore> store, const KvPolicy& policy,
                                     const std::string& mutant, const std::string& folder) {
  constexpr std::streamoff kReasonAt = 5, kHitsAt = 12;
  if (mutant == "kv_cached_zero") return std::make_unique<CachedZero>(std::move(store), folder);
  if (mutant == "kv_swapped_heads") return std::make_unique<SwappedHeads>(std::move(store), folder);
  if (mutant == "kv_position_off_by_one") {
    return std::make_unique<PositionOffByOne>(std::move(store), folder);
  }
  if (mutant == "kv_wrong_reason") return std::make_unique<WrongReason>(std::move(store), folder);
  if (mutant == "kv_keeps_stale_logits") {
    return std::make_unique<StaleLogits>(std::move(store), folder);
  }
  if (mutant == "kv_trailer_dropped") {
    return std::make_unique<TrailerDropped>(std::move(store), folder);
  }
  if (mutant == "kv_hits_not_counted") {
    return std::make_unique<Writes>(std::move(store), folder, kHitsAt, std::string(4, '\0'));
  }
  if (mutant == "kv_rewrites_record") {
    return std::make_unique<Writes>(std::move(store), folder, kReasonAt, std::string(1, '\0'));
  }
  if (mutant == "kv_unlinks_first") {
    return std::make_unique<UnlinksFirst>(std::move(store), folder, policy);
  }
  if (mutant == "kv_other_body") {
    return std::make_unique<OtherBody>(std::move(store), folder, policy);
  }
  return store;
}

}  // namespace parity::tiny
