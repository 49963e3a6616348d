// The reference's rules.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_POLICY_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_POLICY_H_

#include <memory>

#include "gtest_parity/engines/tiny/paged/kv/format.h"
#include "gtest_parity/engines/tiny/serve/kv_policy.h"

namespace parity::tiny::paged {

// Whether the first bytes of `prompt` are the text of `record`.
bool KvcBegins(const std::string& prompt, const KvRecord& record);
// Why `record`, whose text the prompt begins with, is not for `asker`.
KvcError KvcEligible(const KvKnobs& knobs, const KvRecord& record, const KvAsker& asker,
                     KvTier tier);
std::unique_ptr<KvPolicy> MakePolicy();

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_POLICY_H_
