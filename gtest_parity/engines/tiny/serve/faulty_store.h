// KV stores that are wrong on purpose: the mutants of stores.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STORE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STORE_H_

#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/serve/kv_store.h"

namespace parity::tiny {

// `store` itself unless `mutant` is one of a store's. `folder` is where its records are, `policy`
// what names them; it outlives what is returned.
std::unique_ptr<KvStore> WithKvFault(std::unique_ptr<KvStore> store, const KvPolicy& policy,
                                     const std::string& mutant, const std::string& folder);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STORE_H_
