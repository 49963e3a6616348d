// What makes a side the thing that it is.
#ifndef GTEST_PARITY_SESSION_SIDE_IDENTITY_H_
#define GTEST_PARITY_SESSION_SIDE_IDENTITY_H_

#include <string>
#include <vector>

#include "gtest_parity/judge/identity.h"
#include "gtest_parity/manifest/manifest.h"

namespace parity {

// `objects`: the files of code that were mapped after the side's first run. Throws InvalidInput for
// a file that cannot be read.
SideIdentity IdentityOf(const Manifest& manifest, const SideDeclaration& side,
                        const std::vector<std::string>& objects);

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_SIDE_IDENTITY_H_
