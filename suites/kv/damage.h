// What both engines make of a record that was damaged in every way.
#ifndef GTEST_PARITY_SUITES_KV_DAMAGE_H_
#define GTEST_PARITY_SUITES_KV_DAMAGE_H_

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/verdict.h"
#include "suites/kv/damage_groups.h"
#include "suites/kv/harm.h"
#include "suites/kv/lane.h"
#include "suites/kv/phases.h"

namespace parity::kv {

// Whether the lane has cases of that group.
bool HasDamage(const Lane& lane, std::string_view group);

// What a loader made of one damaged record.
struct DamageOutcome {
  std::string death;                  // empty: it lived
  std::vector<std::string> refusals;  // the store's own ids, each once, in order
  std::uint64_t cached = 0;           // tokens
  // As without any record: ids and logits, or what is said where a side shows no logits.
  bool as_cold = false;
  std::string record;  // afterwards: "kept", "gone", "written"
  bool tells_cached = true, tells_refusals = true;
  std::string Text() const;
  bool TellsAll() const { return tells_cached && tells_refusals; }
  bool operator==(const DamageOutcome&) const = default;
};

// Whether both engines made the same of it, in all that both tell.
bool Alike(const DamageOutcome& reference, const DamageOutcome& candidate);

struct Damaged {
  Harm harm;
  std::optional<DamageOutcome> reference, candidate;
};

// The lane's records, damaged one by one: `phases` loads each in a process of its own. The record
// is what the reference saved, on both sides.
class DamageRun {
 public:
  // All arguments outlive this object.
  // `rules`: what counts as answered as without a record, bit for bit or within `kl_limit`.
  DamageRun(const Lane& lane, const RecordFormat& format, Phases& phases, const Rules& rules)
      : lane_(lane), format_(format), phases_(phases), rules_(rules) {}

  // Of what is loaded; by default nothing.
  void Select(std::string_view group) { groups_.insert(std::string(group)); }
  const Lane& lane() const { return lane_; }
  // `cold`: what this loader comes to without a record.
  void Load(bool reference, const Saved& saved, const Loaded& cold);
  const std::vector<Damaged>& all() const { return all_; }

 private:
  DamageOutcome OutcomeOf(const Harm& harm, bool reference, const Saved& saved, const Loaded& cold);

  const Lane& lane_;
  const RecordFormat& format_;
  Phases& phases_;
  Rules rules_;
  std::set<std::string, std::less<>> groups_;
  std::vector<Damaged> all_;
};

// Both engines must make the same of each record of the group. The reference's death is ERROR. That
// both took up what nobody can notice, as there is no checksum, is told and not judged. `declared`:
// exceptions of this lane and group. A record whose loaders both died as the signature of one in
// force begins is excused: PASS*. One whose last day has passed, or that nothing shows any more, is
// FAIL. `today`: YYYY-MM-DD.
Verdict JudgeDamage(std::string_view group, const std::vector<Damaged>& all,
                    const std::vector<const LaneException*>& declared = {},
                    const std::string& today = "");

// What both took up and answer otherwise, although the record is damaged: by slug.
std::vector<std::string> SharedRisks(const std::vector<Damaged>& all);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_DAMAGE_H_
