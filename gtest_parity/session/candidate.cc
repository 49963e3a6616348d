#include "gtest_parity/session/candidate.h"

#include <utility>

namespace parity {

Side& Candidate::Get() {
  if (!side_) side_ = start_();
  return *side_;
}

void Candidate::OnFailure(const Death& death) {
  // An engine that failed in words is still there; one whose process ended is not.
  const bool ended = death.cause == Death::Cause::kSignal || death.cause == Death::Cause::kExit ||
                     death.cause == Death::Cause::kHang;
  if (!ended && side_ && side_->alive()) return;
  Stop();
  ++deaths_;
  const std::string text = death.what + (death.op.empty() ? "" : " in " + death.op);
  // An op kills its span's case and the free run; the programs that hold it are told apart, so that
  // one bad op does not end the run of the others.
  const std::string program = death.run.substr(0, death.run.find('#'));
  const int equal = ++deaths_by_kind_[text + " of " + program.substr(program.find('/') + 1)];
  if (equal >= kEqualDeaths || deaths_ >= kAllDeaths) {
    given_up_ =
        "not run: candidate died " + std::to_string(deaths_) + " times (last: " + text + ")";
  }
}

void Candidate::Stop() {
  if (!side_) return;
  last_tail_ = side_->OutputTail();
  side_.reset();
}

}  // namespace parity
