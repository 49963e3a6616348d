// Names in a manifest that the descriptions must declare.
#ifndef GTEST_PARITY_MANIFEST_CHECK_NAMES_H_
#define GTEST_PARITY_MANIFEST_CHECK_NAMES_H_

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// Engines, and the programs and op ranges of an explicit list: in order and without overlap within
// a program, not empty on both sides.
void CheckDeclaredNames(const Plan& plan, Diagnostics* errors);

// Programs, spans and buffers that tolerances name; the spans are planned.
void CheckTolerances(const Plan& plan, Diagnostics* errors);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CHECK_NAMES_H_
