// The engine description, as `describe` hands it out.
#ifndef GTEST_PARITY_ENGINES_TINY_DESCRIPTION_TEXT_H_
#define GTEST_PARITY_ENGINES_TINY_DESCRIPTION_TEXT_H_

#include <string>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// JSON, in the order in which the spec declares things.
std::string DescriptionText(const EngineSpec& spec);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_DESCRIPTION_TEXT_H_
