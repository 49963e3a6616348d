// The part of CheckDescription that concerns programs and their ops.
#ifndef GTEST_PARITY_MANIFEST_CHECK_PROGRAMS_H_
#define GTEST_PARITY_MANIFEST_CHECK_PROGRAMS_H_

#include <cstdint>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity {

// See CheckDescription. Slices that cannot be evaluated are taken for the whole of their tensor.
void CheckPrograms(const Description& description, std::uint32_t ranks, JsonSource* source);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CHECK_PROGRAMS_H_
