// Which spans a kernel swap is about.
#ifndef GTEST_PARITY_MANIFEST_CHANGED_SPANS_H_
#define GTEST_PARITY_MANIFEST_CHANGED_SPANS_H_

#include <string>

#include "gtest_parity/manifest/manifest.h"

namespace parity {

// Whether `pattern` (a glob, as of fnmatch) names the span.
bool NamesSpan(const std::string& pattern, const std::string& slug);

// Whether the span may differ and be judged end to end: `judge: {spans: end_to_end}`, and
// `judge.changed` names it or is not there.
bool MayDiffer(const JudgeOptions& judge, const std::string& slug);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CHANGED_SPANS_H_
