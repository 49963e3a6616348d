// What the plugin loads counts as part of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/implementation.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::Key;

TEST(LlamaIdentity, HasTheInstalledLibraries) {
  const LibraryHashes hashes = HashLibrary(PARITY_LIBRARIES "/libparity_llama_cpp.so");
  for (const char* library : {"libllama.so", "libggml.so", "libggml-base.so"}) {
    EXPECT_THAT(hashes.files, Contains(Key(library)));
  }
}

}  // namespace
}  // namespace parity::testing
