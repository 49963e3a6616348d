#include "gtest_parity/judge/probe.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

struct Noise {
  double max_abs = 0, nrmse = 0;
};

bool NonFinite(const ElementStats& stats) {
  return stats.nan_only_reference + stats.nan_only_candidate + stats.infinity_only_reference +
             stats.infinity_only_candidate + stats.infinity_opposite >
         0;
}

class ProbeJudge {
 public:
  ProbeJudge(const ProbeEvidence& evidence, double spread_factor)
      : evidence_(evidence), spread_factor_(spread_factor) {
    for (const ProbeComparison& repeat : evidence.repeats) {
      if (repeat.stats.Identical()) continue;
      Noise& noise = noise_[KeyOf(repeat)];
      noise.max_abs = std::max(noise.max_abs, repeat.stats.max_abs);
      noise.nrmse = std::max(noise.nrmse, repeat.stats.Nrmse());
    }
  }

  Verdict Judge() {
    Verdict verdict;
    verdict.exact = noise_.empty();
    const auto [compared, expected] = Counts();
    if (evidence_.death) {
      verdict.findings.push_back(evidence_.check + ": the engine " + evidence_.death->Text());
    }
    TellMoved(verdict);
    TellEffects(verdict);
    verdict.findings.insert(verdict.findings.end(), evidence_.found.begin(), evidence_.found.end());
    if (!verdict.findings.empty()) {
      verdict.outcome = Outcome::kFail;
      verdict.summary = verdict.findings.front();
    } else if (compared == 0 || compared < expected) {
      verdict.summary = evidence_.check + ": " +
                        (compared == 0 ? "nothing was compared"
                                       : "only " + std::to_string(compared) + " of " +
                                             Counted(expected, "comparison") + " took place");
    } else {
      verdict.outcome = Outcome::kPass;
      verdict.summary = evidence_.check + ": " + PassText();
    }
    SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
    if (evidence_.death) SetProperty(verdict, "died", evidence_.death->what);
    SetProperty(verdict, "repeats", noise_.empty() ? "exact" : "hybrid");
    return verdict;
  }

 private:
  using Key = std::tuple<int, std::string, std::string>;
  static Key KeyOf(const ProbeComparison& at) { return {at.rank, at.run, at.tensor}; }

  static bool Compared(const ProbeComparison& at) { return at.stats.compared > 0; }
  static bool Looked(const ProbeEffect& effect) {
    return std::any_of(effect.results.begin(), effect.results.end(), Compared);
  }

  // Comparisons that took place, and that had to.
  std::pair<std::size_t, std::size_t> Counts() const {
    const std::size_t expected = evidence_.alike.size() + evidence_.effects.size();
    const auto alike = std::count_if(evidence_.alike.begin(), evidence_.alike.end(), Compared);
    if (alike == 0) return {0, expected};
    const auto effects = std::count_if(evidence_.effects.begin(), evidence_.effects.end(), Looked);
    return {static_cast<std::size_t>(alike + effects), expected};
  }

  std::string PassText() const {
    std::string text = Counted(evidence_.alike.size(), "result") + " unmoved, ";
    if (!evidence_.effects.empty()) text += Counted(evidence_.effects.size(), "effect") + " seen, ";
    return text + "in " + Counted(evidence_.runs, "run");
  }

  bool Moved(const ProbeComparison& at) const {
    if (at.stats.Identical()) return false;
    const auto noise = noise_.find(KeyOf(at));
    if (noise == noise_.end()) return true;
    const ElementStats& stats = at.stats;
    if (NonFinite(stats)) return true;
    return !(stats.max_abs <= spread_factor_ * noise->second.max_abs &&
             stats.Nrmse() <= spread_factor_ * noise->second.nrmse);
  }

  void TellMoved(Verdict& verdict) const {
    for (const ProbeComparison& at : evidence_.alike) {
      if (!Moved(at)) continue;
      Finding finding;
      finding.where = Where(evidence_.check, at.run, at.rank, at.tensor);
      finding.what = at.what + ", " + std::to_string(at.stats.different) + " of " +
                     Counted(at.stats.compared, "element") + " moved";
      finding.got = "max |d| " + ShortText(at.stats.max_abs);
      const auto noise = noise_.find(KeyOf(at));
      if (noise == noise_.end()) {
        finding.allowed = "no bit";
        finding.source = "the engine repeats this bit for bit";
      } else {
        finding.allowed = "max |d| " + ShortText(spread_factor_ * noise->second.max_abs);
        finding.source = ShortText(spread_factor_) + " x the engine's distance from itself";
      }
      verdict.findings.push_back(finding.Text());
    }
  }

  void TellEffects(Verdict& verdict) const {
    for (const ProbeEffect& effect : evidence_.effects) {
      if (!Looked(effect)) continue;  // missing in the ledger
      if (std::any_of(effect.results.begin(), effect.results.end(),
                      [this](const ProbeComparison& at) { return Moved(at); })) {
        continue;
      }
      verdict.findings.push_back(evidence_.check + ": " + effect.what +
                                 ", and nothing moved: " + effect.if_none);
    }
  }

  const ProbeEvidence& evidence_;
  const double spread_factor_;
  std::map<Key, Noise> noise_;
};

}  // namespace

Verdict JudgeProbe(const ProbeEvidence& evidence, double spread_factor) {
  return ProbeJudge(evidence, spread_factor).Judge();
}

}  // namespace parity
