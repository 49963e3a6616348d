// The pure rules of a KV store. Each engine has its own implementation.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_KV_POLICY_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_KV_POLICY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/kv_knobs.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny {

// Who asks: records are eligible for it, and it makes some of them superfluous.
struct KvAsker {
  std::string text;  // the prompt's; empty: none
  std::uint32_t context = 0;
  std::uint8_t model = 0, quant = 0;
};

struct ChatMarker {
  std::int32_t at = 0;  // token
  bool user = false;    // or the assistant
};

struct KvOverlap {
  std::size_t record = 0;
  std::uint64_t lcp = 0;  // bytes
};

class KvPolicy {
 public:
  virtual ~KvPolicy() = default;
  // 40 lower-case hexadecimal digits.
  virtual std::string Hash(const std::string& bytes) const = 0;
  // How many of `tokens` a cold record holds.
  virtual std::int32_t StoreLength(const KvKnobs& knobs, std::int32_t tokens) const = 0;
  // `live` where a continued record is due, else 0. `stored` is the last stored frontier.
  virtual std::int32_t ContinuedTarget(const KvKnobs& knobs, std::int32_t live,
                                       std::int32_t stored) const = 0;
  virtual bool BankDue(const KvKnobs& knobs, std::int32_t committed, std::int32_t stored) const = 0;
  // Where the last user marker before the first assistant marker is, -1: nowhere.
  virtual std::int32_t Anchor(const KvKnobs& knobs,
                              const std::vector<ChatMarker>& markers) const = 0;
  virtual double Score(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                       std::uint64_t now) const = 0;
  // Whether a file of `bytes` may be stored at all.
  virtual bool Fits(const KvKnobs& knobs, std::uint64_t bytes) const = 0;
  // Indices in the order in which they are deleted to make room for `incoming` bytes.
  virtual std::vector<std::size_t> Evict(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                         const KvAsker& asker, std::uint64_t incoming,
                                         std::uint64_t now) const = 0;
  // Why a record whose text the prompt begins with is not for `asker`; empty: it is.
  virtual std::string Refusal(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                              KvTier tier) const = 0;
  virtual std::optional<std::size_t> Lookup(const KvKnobs& knobs,
                                            const std::vector<KvRecord>& records,
                                            const KvAsker& asker, KvTier tier) const = 0;
  // Of records whose texts are known.
  virtual std::optional<KvOverlap> LongestOverlap(const KvKnobs& knobs,
                                                  const std::vector<KvRecord>& records,
                                                  const KvAsker& asker) const = 0;
  // Whether storing `made` can leave `present`, of the same key, as it is.
  virtual bool Compatible(const KvKnobs& knobs, const KvRecord& present,
                          const KvRecord& made) const = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_KV_POLICY_H_
