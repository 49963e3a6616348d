// The spans of a manifest, and what its programs come to end to end.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/main.h"

namespace parity {

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(SpanParity, Matches) { ExpectParity(); }
TEST_P(EndToEnd, Matches) { ExpectParity(); }
TEST_P(Domain, Holds) { ExpectParity(); }
TEST_P(Replicated, Agrees) { ExpectParity(); }

// Which of them a manifest gives cases is the manifest's affair.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Domain);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Replicated);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SpanParity);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EndToEnd);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Preflight);

}  // namespace parity

int main(int argc, char** argv) { return parity::ParityMain(argc, argv); }
