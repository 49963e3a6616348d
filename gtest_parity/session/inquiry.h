// What a suite asks of both sides beyond what a session does itself.
#ifndef GTEST_PARITY_SESSION_INQUIRY_H_
#define GTEST_PARITY_SESSION_INQUIRY_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/judge/judge.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/session/case.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Made and listed without any side. The reference is asked first and is gone when the candidate
// comes: what Judge needs of it, AskReference keeps.
class Inquiry {
 public:
  virtual ~Inquiry() = default;
  // Of kind kAsked, each with its fixture.
  virtual std::vector<Case> Cases() const = 0;
  // For the selected ones of its cases. Throws SideFailure; any other exception makes every case an
  // ERROR.
  virtual void AskReference(Side& reference, const std::vector<Case>& selected) = 0;
  // Throws SideFailure, which fails the case; any other exception is an ERROR of the case.
  virtual Verdict Judge(const Case& which, Side& candidate, const Rules& rules) = 0;
  // What a person should know of it at the end.
  virtual std::vector<std::string> Notes() const { return {}; }
};

// Both arguments outlive what is made.
using MakeInquiry = std::function<std::unique_ptr<Inquiry>(const Plan&, const Workload&)>;

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_INQUIRY_H_
