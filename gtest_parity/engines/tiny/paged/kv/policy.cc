#include "gtest_parity/engines/tiny/paged/kv/policy.h"

#include <climits>
#include <cmath>

#include "gtest_parity/engines/tiny/paged/kv/digest.h"

namespace parity::tiny::paged {
namespace {

constexpr double kHalfLife = 21600;  // seconds in which a hit loses half its worth

// The interval rounded up to the alignment; an interval that has no such multiple falls back to
// the alignment itself.
std::int32_t Step(const KvKnobs& knobs) {
  if (knobs.continued_interval_tokens <= 0) return 0;
  const std::int32_t align = knobs.boundary_align_tokens > 0 ? knobs.boundary_align_tokens : 1;
  const std::int32_t over = knobs.continued_interval_tokens % align;
  if (over == 0) return knobs.continued_interval_tokens;
  if (knobs.continued_interval_tokens > INT_MAX - (align - over)) return align;
  return knobs.continued_interval_tokens + (align - over);
}

double Warmth(const KvRecord& record, std::uint64_t now) {
  const std::uint64_t since = record.last_used != 0 ? record.last_used : record.created;
  if (since == 0) return 0;
  const double age = now > since ? static_cast<double>(now - since) : 0;
  const double warmth = record.hits * std::pow(2.0, -age / kHalfLife);
  return warmth < 0.01 ? 0 : warmth;
}

bool IsAnchor(unsigned reason) {
  return reason == 1 || reason == 3 || reason == 4 || KvcIsBank(reason);
}

bool IsSuperseded(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker) {
  if (record.reason != 2 && record.reason != 9) return false;
  if (record.model != asker.model || asker.context > record.context) return false;
  if (knobs.reject_different_quant && record.quant != asker.quant) return false;
  return record.text_bytes < asker.text.size() && KvcBegins(asker.text, record);
}

std::size_t Common(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  return i;
}

// Whether asking has sense at all: all that does not depend on the text.
bool IsCandidate(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker) {
  return KvcIsReplayable(record.reason, record.ext) && record.model == asker.model &&
         record.context <= asker.context && record.tokens <= INT_MAX &&
         static_cast<std::int32_t>(record.tokens) >= knobs.min_tokens &&
         (!knobs.reject_different_quant || record.quant == asker.quant);
}

class Policy final : public KvPolicy {
 public:
  std::string Hash(const std::string& bytes) const override {
    char name[41];
    KvcSha1(bytes.data(), bytes.size(), name);
    return name;
  }

  std::int32_t StoreLength(const KvKnobs& knobs, std::int32_t tokens) const override {
    const std::int64_t floor = std::int64_t{knobs.min_tokens} + knobs.boundary_trim_tokens;
    if (tokens <= floor) return tokens;
    const std::int32_t align = knobs.boundary_align_tokens > 0 ? knobs.boundary_align_tokens : 1;
    const std::int32_t trimmed = tokens - knobs.boundary_trim_tokens;
    const std::int32_t stored = trimmed - trimmed % align;
    return stored >= knobs.min_tokens ? stored : tokens;
  }

  std::int32_t ContinuedTarget(const KvKnobs& knobs, std::int32_t live,
                               std::int32_t stored) const override {
    const std::int32_t step = Step(knobs);
    if (step <= 0 || live < knobs.min_tokens) return 0;
    return live % step == 0 && live > stored ? live : 0;
  }

  bool BankDue(const KvKnobs& knobs, std::int32_t committed, std::int32_t stored) const override {
    const std::int32_t step = Step(knobs);
    return step > 0 && committed >= knobs.min_tokens && committed >= std::int64_t{stored} + step;
  }

  std::int32_t Anchor(const KvKnobs& knobs, const std::vector<ChatMarker>& markers) const override {
    std::int32_t anchor = -1;
    for (const ChatMarker& marker : markers) {
      if (!marker.user) break;
      anchor = marker.at;
    }
    return anchor >= knobs.min_tokens ? anchor : -1;
  }

  double Score(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
               std::uint64_t now) const override {
    const double warmth = Warmth(record, now);
    double score = record.file_bytes == 0
                       ? 0
                       : (warmth + 1) * record.tokens / static_cast<double>(record.file_bytes);
    if (IsAnchor(record.reason)) score *= 2;
    if (IsSuperseded(knobs, record, asker)) score *= 0.05 + 0.45 * warmth / (warmth + 1);
    return score;
  }

  bool Fits(const KvKnobs& knobs, std::uint64_t bytes) const override {
    const std::uint64_t slack = bytes / 100 + (bytes % 100 != 0 ? 1 : 0);
    return bytes <= knobs.budget_bytes && slack <= knobs.budget_bytes - bytes;
  }

  std::vector<std::size_t> Evict(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                 const KvAsker& asker, std::uint64_t incoming,
                                 std::uint64_t now) const override;

  std::string Refusal(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                      KvTier tier) const override {
    return KvcErrorName(KvcEligible(knobs, record, asker, tier));
  }

  std::optional<std::size_t> Lookup(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                    const KvAsker& asker, KvTier tier) const override;
  std::optional<KvOverlap> LongestOverlap(const KvKnobs& knobs,
                                          const std::vector<KvRecord>& records,
                                          const KvAsker& asker) const override;

  bool Compatible(const KvKnobs& knobs, const KvRecord& present,
                  const KvRecord& made) const override {
    if (present.model != made.model || present.key != made.key) return false;
    if (knobs.reject_different_quant && present.quant != made.quant) return false;
    return present.context <= made.context && KvcIsReplayable(present.reason, present.ext) &&
           KvcIsReplayable(made.reason, made.ext);
  }
};

std::vector<std::size_t> Policy::Evict(const KvKnobs& knobs, const std::vector<KvRecord>& records,
                                       const KvAsker& asker, std::uint64_t incoming,
                                       std::uint64_t now) const {
  std::vector<std::size_t> gone;
  if (incoming > knobs.budget_bytes) return gone;
  const std::uint64_t room = knobs.budget_bytes - incoming;
  std::vector<bool> present(records.size(), true);
  std::uint64_t total = 0;
  for (const KvRecord& record : records) total += record.file_bytes;
  while (total > room) {
    std::size_t victim = records.size();
    double lowest = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (!present[i]) continue;
      const double score = Score(knobs, records[i], asker, now);
      const bool lower = victim == records.size() || score < lowest ||
                         (score == lowest && records[i].last_used < records[victim].last_used);
      if (!lower) continue;
      victim = i;
      lowest = score;
    }
    if (victim == records.size()) break;
    present[victim] = false;
    total -= records[victim].file_bytes;
    gone.push_back(victim);
  }
  return gone;
}

std::optional<std::size_t> Policy::Lookup(const KvKnobs& knobs,
                                          const std::vector<KvRecord>& records,
                                          const KvAsker& asker, KvTier tier) const {
  std::size_t best = records.size();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const KvRecord& record = records[i];
    if (KvcEligible(knobs, record, asker, tier) != kKvcOk || !KvcBegins(asker.text, record)) {
      continue;
    }
    const bool better =
        best == records.size() || record.text_bytes > records[best].text_bytes ||
        (record.text_bytes == records[best].text_bytes && record.tokens > records[best].tokens);
    if (better) best = i;
  }
  if (best == records.size()) return std::nullopt;
  return best;
}

std::optional<KvOverlap> Policy::LongestOverlap(const KvKnobs& knobs,
                                                const std::vector<KvRecord>& records,
                                                const KvAsker& asker) const {
  std::optional<KvOverlap> best;
  const auto least = static_cast<std::uint64_t>(knobs.min_lcp);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const KvRecord& record = records[i];
    if (!IsCandidate(knobs, record, asker) || record.text_bytes < least) continue;
    if (record.text_bytes / 8 > asker.text.size() ||
        record.text_bytes > 8 * std::uint64_t{asker.text.size()}) {
      continue;
    }
    const std::uint64_t lcp = Common(record.text, asker.text);
    if (lcp < least || 8 * lcp < record.text_bytes) continue;
    const bool better = !best || lcp > best->lcp ||
                        (lcp == best->lcp && record.text_bytes < records[best->record].text_bytes);
    if (better) best = KvOverlap{i, lcp};
  }
  return best;
}

}  // namespace

bool KvcBegins(const std::string& prompt, const KvRecord& record) {
  if (record.text_bytes > prompt.size()) return false;
  char name[41];
  KvcSha1(prompt.data(), record.text_bytes, name);
  return record.key == name;
}

KvcError KvcEligible(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                     KvTier tier) {
  if (record.model != asker.model) return kKvcDifferentModel;
  if (knobs.reject_different_quant && record.quant != asker.quant) return kKvcDifferentQuant;
  if (record.context > asker.context) return kKvcExceedsContext;
  if (!KvcIsReplayable(record.reason, record.ext)) return kKvcLegacyReplayContract;
  if (record.tokens > INT_MAX || static_cast<std::int32_t>(record.tokens) < knobs.min_tokens) {
    return kKvcBelowMinTokens;
  }
  if (record.text_bytes > asker.text.size()) return kKvcLongerThanPrompt;
  if (record.text_bytes < asker.text.size()) return kKvcOk;
  if (tier == KvTier::kBank) return kKvcNotStrictPrefix;
  return KvcIsBank(record.reason) ? kKvcNoFrontierLogits : kKvcOk;
}

std::unique_ptr<KvPolicy> MakePolicy() { return std::make_unique<Policy>(); }

}  // namespace parity::tiny::paged
