#include "gtest_parity/engines/llama_cpp/node_matcher.h"

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {

NodeMatcher::NodeMatcher(const std::vector<Cut>& cuts) : cuts_(cuts) {
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    watches_[cuts[i].node.name].push_back({i, cuts[i].node.op, cuts[i].node.occurrence});
  }
}

std::optional<std::size_t> NodeMatcher::Match(const char* name, const char* op) {
  const auto found = watches_.find(name);
  if (found == watches_.end()) return std::nullopt;
  std::optional<std::size_t> cut;
  for (Watch& watch : found->second) {
    if (!watch.op.empty() && watch.op != op) continue;
    if (watch.seen++ == watch.occurrence) cut = watch.cut;
  }
  if (!cut) return std::nullopt;
  if (*cut != seen_) {
    throw Failed("the graph has node \"" + std::string(name) + "\" of " + cuts_[*cut].label +
                 " where that of " + cuts_[seen_].label + " (\"" + cuts_[seen_].node.name +
                 "\") was expected: it is not the graph that was described");
  }
  if (++seen_ == cuts_.size()) Reset();
  return cut;
}

void NodeMatcher::Reset() {
  seen_ = 0;
  for (auto& [name, watches] : watches_) {
    for (Watch& watch : watches) watch.seen = 0;
  }
}

}  // namespace parity::llama_cpp
