#include "gtest_parity/judge/identity.h"

#include <set>

#include "gtest_parity/judge/finding.h"

namespace parity {
namespace {

using Objects = std::vector<std::pair<std::string, std::string>>;

std::set<std::string> HashesOf(const Objects& objects) {
  std::set<std::string> hashes;
  for (const auto& [name, hash] : objects) hashes.insert(hash);
  return hashes;
}

std::string ObjectsOnlyIn(const Objects& objects, const Objects& others) {
  const std::set<std::string> known = HashesOf(others);
  std::string text;
  for (const auto& [name, hash] : objects) {
    if (known.count(hash) == 0) text += (text.empty() ? "" : " ") + name + ":" + hash.substr(0, 12);
  }
  return text.empty() ? "nothing" : text;
}

bool Known(const SideIdentity& side) { return !side.engine.empty() && !side.objects.empty(); }

}  // namespace

IdentityComparison CompareIdentities(const SideIdentity& reference, const SideIdentity& candidate) {
  struct Part {
    const char* name;
    const std::string& reference;
    const std::string& candidate;
  };
  const Part parts[] = {{"engine", reference.engine, candidate.engine},
                        {"config", reference.config, candidate.config},
                        {"mode", reference.mode, candidate.mode},
                        {"weights", reference.weights_hash, candidate.weights_hash}};
  std::string differing;
  for (const Part& part : parts) {
    if (part.reference == part.candidate) continue;
    differing += (differing.empty() ? "" : "; ") + std::string(part.name) + " '" + part.reference +
                 "' against '" + part.candidate + "'";
  }
  if (HashesOf(reference.objects) != HashesOf(candidate.objects)) {
    differing += (differing.empty() ? "" : "; ") + std::string("objects only in the reference: ") +
                 ObjectsOnlyIn(reference.objects, candidate.objects) +
                 ", only in the candidate: " + ObjectsOnlyIn(candidate.objects, reference.objects);
  }
  if (!differing.empty()) return {false, differing};
  return {true, "engine '" + reference.engine + "', config, mode '" + reference.mode +
                    "', weights " + reference.weights_hash.substr(0, 12) + " and " +
                    Counted(reference.objects.size(), "mapped object") + " are equal"};
}

Verdict JudgeIdentity(const SideIdentity& reference, const SideIdentity& candidate,
                      bool self_allowed) {
  Verdict verdict;
  if (!Known(reference) || !Known(candidate)) {
    verdict.summary = std::string("the ") + (Known(reference) ? "candidate" : "reference") +
                      "'s identity is not known: expected an engine and its mapped objects";
  } else {
    const IdentityComparison comparison = CompareIdentities(reference, candidate);
    const bool self = comparison.equal && !self_allowed;
    verdict.outcome = self ? Outcome::kSelf : Outcome::kPass;
    verdict.summary = comparison.text;
    if (self)
      verdict.summary += ": both sides are the same thing, and `self: allowed` is not declared";
  }
  if (!Passes(verdict.outcome)) verdict.findings.push_back(verdict.summary);
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  return verdict;
}

}  // namespace parity
