// The static diff: from a manifest to the spans that are compared.
#ifndef GTEST_PARITY_MANIFEST_MAKE_PLAN_H_
#define GTEST_PARITY_MANIFEST_MAKE_PLAN_H_

#include <optional>

#include "gtest_parity/manifest/implementation.h"
#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// Reads both descriptions, hashes both libraries and plans. No device, no weights, no engine code.
// Throws InvalidInput with every error, of both descriptions, and of names in the manifest that
// they do not declare. Where the reference was recorded, `recorded` are the hashes of its library
// then, which is not looked for.
Plan MakePlan(Manifest manifest, const std::optional<LibraryHashes>& recorded = std::nullopt);

// The same for descriptions at hand: plan->manifest, reference and candidate are set.
void PlanSpans(const Implementation& reference, const Implementation& candidate, Plan* plan);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_MAKE_PLAN_H_
