// A suite that has only the cases it wants.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/main.h"

namespace parity {

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(SpanParity, Matches) { ExpectParity(); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SpanParity);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Preflight);

}  // namespace parity

int main(int argc, char** argv) { return parity::ParityMain(argc, argv); }
