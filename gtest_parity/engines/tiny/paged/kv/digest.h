// Names of texts and of models.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_DIGEST_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_DIGEST_H_

#include <cstddef>

namespace parity::tiny::paged {

// SHA-1 as 40 hexadecimal digits and a NUL.
void KvcSha1(const void* bytes, std::size_t count, char out[41]);
// SHA-256 of config.json and of model.safetensors behind its JSON header. False if either cannot be
// read.
bool KvcIdentity(const char* model, unsigned char out[32]);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_DIGEST_H_
