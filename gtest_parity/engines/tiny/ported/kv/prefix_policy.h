// The port's rules of what is stored, kept and found.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_PREFIX_POLICY_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_PREFIX_POLICY_H_

#include <memory>
#include <optional>
#include <string_view>

#include "gtest_parity/engines/tiny/serve/kv_policy.h"

namespace parity::tiny::ported {

class PrefixPolicy final : public KvPolicy {
 public:
  std::string Hash(const std::string& bytes) const override;
  std::int32_t StoreLength(const KvKnobs& knobs, std::int32_t tokens) const override;
  std::int32_t ContinuedTarget(const KvKnobs& knobs, std::int32_t live,
                               std::int32_t stored) const override;
  bool BankDue(const KvKnobs& knobs, std::int32_t committed, std::int32_t stored) const override;
  std::int32_t Anchor(const KvKnobs& knobs, const std::vector<ChatMarker>& markers) const override;
  double Score(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
               std::uint64_t now) const override;
  bool Fits(const KvKnobs& knobs, std::uint64_t bytes) const override;
  std::vector<std::size_t> Evict(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                 const KvAsker& asker, std::uint64_t incoming,
                                 std::uint64_t now) const override;
  std::string Refusal(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                      KvTier tier) const override;
  std::optional<std::size_t> Lookup(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                    const KvAsker& asker, KvTier tier) const override;
  std::optional<KvOverlap> LongestOverlap(const KvKnobs& knobs,
                                          const std::vector<KvRecord>& records,
                                          const KvAsker& asker) const override;
  bool Compatible(const KvKnobs& knobs, const KvRecord& present,
                  const KvRecord& made) const override;
};

// Whether `text` begins with the text of `record`.
bool BeginsWith(std::string_view text, const KvRecord& record);
// What speaks against a record, its length aside; none: nothing does.
std::optional<std::string_view> Objection(const KvKnobs& knobs, const KvRecord& record,
                                          const KvAsker& asker);
std::unique_ptr<KvPolicy> MakePolicy();

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_PREFIX_POLICY_H_
