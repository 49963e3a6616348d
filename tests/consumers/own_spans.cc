// A suite that has only the cases it wants, and a check of its own.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/main.h"

namespace parity {

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(SpanParity, Matches) { ExpectParity(); }
TEST_P(SpanParity, IsIdentical) {
  EXPECT_EQ(campaign().Judge(which()).span_class, SpanClass::kIdentical);
}


}  // namespace parity

int main(int argc, char** argv) { return parity::ParityMain(argc, argv); }
