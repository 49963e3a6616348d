// Whether both sides are one and the same thing.
#ifndef GTEST_PARITY_JUDGE_IDENTITY_H_
#define GTEST_PARITY_JUDGE_IDENTITY_H_

#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/verdict.h"

namespace parity {

struct SideIdentity {
  std::string engine;
  std::string config;  // canonical text
  std::string mode;
  std::string weights_hash;
  // Base name and sha256 of every object that is not the system's, mapped after the first run.
  std::vector<std::pair<std::string, std::string>> objects;
};

struct IdentityComparison {
  bool equal = false;
  std::string text;  // what differs; if nothing does, what was compared
};

// Objects are compared as a set of hashes: a copy of a library under another name is the same.
IdentityComparison CompareIdentities(const SideIdentity& reference, const SideIdentity& candidate);

// PASS if the sides differ or `self_allowed`, else SELF. NOT_COMPARED if a side's engine or objects
// are unknown, as missing data would look like a difference. No bytes of a result were compared, so
// that `compared` stays 0.
Verdict JudgeIdentity(const SideIdentity& reference, const SideIdentity& candidate,
                      bool self_allowed);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_IDENTITY_H_
