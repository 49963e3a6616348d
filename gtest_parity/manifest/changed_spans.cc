#include "gtest_parity/manifest/changed_spans.h"

#include <fnmatch.h>

#include <algorithm>

namespace parity {

bool NamesSpan(const std::string& pattern, const std::string& slug) {
  return fnmatch(pattern.c_str(), slug.c_str(), 0) == 0;
}

bool MayDiffer(const JudgeOptions& judge, const std::string& slug) {
  if (judge.spans == SpanMode::kExact) return false;
  return judge.changed.empty() ||
         std::any_of(judge.changed.begin(), judge.changed.end(),
                     [&](const ChangedSpans& changed) { return NamesSpan(changed.span, slug); });
}

}  // namespace parity
