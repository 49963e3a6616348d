#include "gtest_parity/engines/tiny/ported/kv/prefix_policy.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "gtest_parity/engines/tiny/ported/kv/digest.h"
#include "gtest_parity/engines/tiny/ported/kv/record_header.h"

namespace parity::tiny::ported {
namespace {

StoreReason ReasonOf(const KvRecord& record) {
  return record.reason <= static_cast<std::uint8_t>(StoreReason::kBankCheckpoint)
             ? StoreReason{record.reason}
             : StoreReason::kUnknown;
}

std::int64_t AlignmentOf(const KvKnobs& knobs) {
  return std::max<std::int64_t>(knobs.boundary_align_tokens, 1);
}

// None where nothing is stored at intervals, or where the aligned one has more than 31 bits.
std::optional<std::int64_t> Interval(const KvKnobs& knobs) {
  if (knobs.continued_interval_tokens <= 0) return std::nullopt;
  const std::int64_t align = AlignmentOf(knobs);
  const std::int64_t aligned = (knobs.continued_interval_tokens + align - 1) / align * align;
  if (aligned > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return aligned;
}

// Hits that fade by half every six hours.
double FadedHits(const KvRecord& record, std::uint64_t now) {
  const std::uint64_t touched = record.last_used ? record.last_used : record.created;
  if (touched == 0) return 0.0;
  const std::uint64_t age = now - std::min(now, touched);
  const double hits = record.hits * std::exp2(-static_cast<double>(age) / (6.0 * 60 * 60));
  return hits < 0.01 ? 0.0 : hits;
}

bool AnchorsSession(StoreReason reason) {
  const Family family = FamilyOf(reason);
  return family == Family::kBank ||
         (family == Family::kSerial && reason != StoreReason::kContinued);
}

bool IsWaypoint(StoreReason reason) {
  return reason == StoreReason::kContinued || reason == StoreReason::kBankCheckpoint;
}

// Whether what `asker` is about to make goes beyond a waypoint of the same session.
bool Overtaken(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker) {
  return IsWaypoint(ReasonOf(record)) && record.model == asker.model &&
         (!knobs.reject_different_quant || record.quant == asker.quant) &&
         asker.context <= record.context && record.text_bytes < asker.text.size() &&
         BeginsWith(asker.text, record);
}

}  // namespace

bool BeginsWith(std::string_view text, const KvRecord& record) {
  return record.text_bytes <= text.size() && KeyOf(text.substr(0, record.text_bytes)) == record.key;
}

std::optional<std::string_view> Objection(const KvKnobs& knobs, const KvRecord& record,
                                          const KvAsker& asker) {
  if (record.model != asker.model) return "different_model";
  if (knobs.reject_different_quant && record.quant != asker.quant) return "different_quant";
  if (record.context > asker.context) return "exceeds_context";
  if (!ReplaysByItself(ReasonOf(record), record.ext)) return "legacy_replay_contract";
  // A count of more than 31 bits is negative to the format's first reader.
  if (static_cast<std::int32_t>(record.tokens) < knobs.min_tokens) return "below_min_tokens";
  return std::nullopt;
}

std::string PrefixPolicy::Hash(const std::string& bytes) const { return KeyOf(bytes); }

std::int32_t PrefixPolicy::StoreLength(const KvKnobs& knobs, std::int32_t tokens) const {
  const std::int64_t trimmed = std::int64_t{tokens} - knobs.boundary_trim_tokens;
  if (trimmed <= knobs.min_tokens) return tokens;
  const std::int64_t aligned = trimmed / AlignmentOf(knobs) * AlignmentOf(knobs);
  return aligned < knobs.min_tokens ? tokens : static_cast<std::int32_t>(aligned);
}

std::int32_t PrefixPolicy::ContinuedTarget(const KvKnobs& knobs, std::int32_t live,
                                           std::int32_t stored) const {
  const auto interval = Interval(knobs);
  const bool due = interval && live >= knobs.min_tokens && live > stored && live % *interval == 0;
  return due ? live : 0;
}

bool PrefixPolicy::BankDue(const KvKnobs& knobs, std::int32_t committed,
                           std::int32_t stored) const {
  const auto interval = Interval(knobs);
  return interval && committed >= std::max<std::int64_t>(knobs.min_tokens, stored + *interval);
}

std::int32_t PrefixPolicy::Anchor(const KvKnobs& knobs,
                                  const std::vector<ChatMarker>& markers) const {
  const auto answer = std::find_if_not(markers.begin(), markers.end(),
                                       [](const ChatMarker& marker) { return marker.user; });
  if (answer == markers.begin()) return -1;
  const std::int32_t at = std::prev(answer)->at;
  return at < knobs.min_tokens ? -1 : at;
}

double PrefixPolicy::Score(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                           std::uint64_t now) const {
  if (record.file_bytes == 0) return 0.0;
  const double hits = FadedHits(record, now);
  const double worth = (hits + 1.0) * record.tokens / static_cast<double>(record.file_bytes);
  const double anchored = AnchorsSession(ReasonOf(record)) ? 2.0 * worth : worth;
  if (!Overtaken(knobs, record, asker)) return anchored;
  return anchored * (0.05 + 0.45 * hits / (hits + 1.0));
}

bool PrefixPolicy::Fits(const KvKnobs& knobs, std::uint64_t bytes) const {
  // bytes + ceil(bytes / 100) <= budget, without a sum that could overflow.
  const std::uint64_t margin = (bytes / 100) + static_cast<std::uint64_t>(bytes % 100 > 0);
  return margin <= knobs.budget_bytes && bytes <= knobs.budget_bytes - margin;
}

std::vector<std::size_t> PrefixPolicy::Evict(const KvKnobs& knobs,
                                             const std::vector<KvRecord>& records,
                                             const KvAsker& asker, std::uint64_t incoming,
                                             std::uint64_t now) const {
  if (incoming > knobs.budget_bytes) return {};
  // Scores do not change while records go: one order serves all.
  using Rank = std::tuple<double, std::uint64_t, std::size_t>;
  std::set<Rank> order;
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    order.emplace(Score(knobs, records[i], asker, now), records[i].last_used, i);
    held += records[i].file_bytes;
  }
  std::vector<std::size_t> victims;
  for (const auto& [score, used, index] : order) {
    if (held <= knobs.budget_bytes - incoming) break;
    held -= records[index].file_bytes;
    victims.push_back(index);
  }
  return victims;
}

std::string PrefixPolicy::Refusal(const KvKnobs& knobs, const KvRecord& record,
                                  const KvAsker& asker, KvTier tier) const {
  if (const auto objection = Objection(knobs, record, asker)) return std::string(*objection);
  if (record.text_bytes > asker.text.size()) return "longer_than_prompt";
  if (record.text_bytes < asker.text.size()) return {};
  if (tier == KvTier::kBank) return "not_strict_prefix";
  return FamilyOf(ReasonOf(record)) == Family::kBank ? "no_frontier_logits" : "";
}

std::optional<std::size_t> PrefixPolicy::Lookup(const KvKnobs& knobs,
                                                const std::vector<KvRecord>& records,
                                                const KvAsker& asker, KvTier tier) const {
  std::optional<std::size_t> found;
  const auto measure = [&](std::size_t i) {
    return std::pair(records[i].text_bytes, records[i].tokens);
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!Refusal(knobs, records[i], asker, tier).empty()) continue;
    if (!BeginsWith(asker.text, records[i])) continue;
    if (!found || measure(i) > measure(*found)) found = i;
  }
  return found;
}

std::optional<KvOverlap> PrefixPolicy::LongestOverlap(const KvKnobs& knobs,
                                                      const std::vector<KvRecord>& records,
                                                      const KvAsker& asker) const {
  const auto least = static_cast<std::uint64_t>(std::max(knobs.min_lcp, 0));
  std::optional<KvOverlap> found;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& text = records[i].text;
    if (Objection(knobs, records[i], asker)) continue;
    if (text.size() < least || text.size() > 8 * asker.text.size()) continue;
    const auto [differs, ignored] =
        std::mismatch(text.begin(), text.end(), asker.text.begin(), asker.text.end());
    const auto lcp = static_cast<std::uint64_t>(differs - text.begin());
    if (lcp < least || 8 * lcp < text.size()) continue;
    const bool better = !found || lcp > found->lcp ||
                        (lcp == found->lcp && text.size() < records[found->record].text.size());
    if (better) found = KvOverlap{i, lcp};
  }
  return found;
}

bool PrefixPolicy::Compatible(const KvKnobs& knobs, const KvRecord& present,
                              const KvRecord& made) const {
  const bool replays =
      ReplaysByItself(ReasonOf(present), present.ext) && ReplaysByItself(ReasonOf(made), made.ext);
  return replays && present.key == made.key && present.model == made.model &&
         present.context <= made.context &&
         (!knobs.reject_different_quant || present.quant == made.quant);
}

std::unique_ptr<KvPolicy> MakePolicy() { return std::make_unique<PrefixPolicy>(); }

}  // namespace parity::tiny::ported
