// A damaged record as a file.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_WRITE_MUTATION_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_WRITE_MUTATION_H_

#include <string>

#include "suites/kv/formats/mutations.h"

namespace parity::kv {

// Writes what `mutation` makes of `bytes` into `folder`, under the mutation's name, and returns its
// path. Pieces of zeroes become holes. Throws std::system_error, also where the name is taken.
std::string WriteMutation(const Mutation& mutation, RecordBytes* bytes, const std::string& folder);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_WRITE_MUTATION_H_
