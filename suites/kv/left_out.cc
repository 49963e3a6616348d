#include "suites/kv/left_out.h"

#include <fnmatch.h>

#include <algorithm>

namespace parity::kv {

LeftOut::LeftOut(const Manifest& manifest, const std::vector<Case>& all) {
  std::vector<Diagnostic> idle;
  for (const KvLeftOut& one : manifest.kv.without) patterns_.push_back({one.cases, one.reason});
  std::vector<bool> matches(patterns_.size(), false);
  for (const Case& which : all) {
    const std::string name = which.Fixture() + "/" + which.slug;
    bool out = false;
    for (std::size_t i = 0; i < patterns_.size() && which.kind != CaseKind::kPreflight; ++i) {
      if (fnmatch(patterns_[i].cases.c_str(), name.c_str(), 0) != 0) continue;
      matches[i] = true;
      if (!out) ++patterns_[i].count;
      out = true;
    }
    if (!out) asked_.push_back(which);
  }
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]) continue;
    idle.push_back({manifest.path, manifest.kv.without[i].at,
                    "kv.without[" + std::to_string(i) + "].cases", Quoted(patterns_[i].cases),
                    "a pattern of cases that there are, such as \"Policy/*\""});
  }
  if (!idle.empty()) throw InvalidInput(std::move(idle));
}

std::vector<std::string> LeftOut::Lines() const {
  std::vector<std::string> lines;
  for (const Counted& one : patterns_) {
    lines.push_back("not asked: " + std::to_string(one.count) +
                    (one.count == 1 ? " case of " : " cases of ") + one.cases + ": " + one.reason);
  }
  return lines;
}

}  // namespace parity::kv
