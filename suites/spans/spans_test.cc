// The spans of a manifest, and what its programs come to end to end.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/main.h"

namespace parity {

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(SpanParity, Matches) { ExpectParity(); }
TEST_P(EndToEnd, Matches) { ExpectParity(); }
TEST_P(Domain, Holds) { ExpectParity(); }
TEST_P(Replicated, Agrees) { ExpectParity(); }

}  // namespace parity

int main(int argc, char** argv) { return parity::ParityMain(argc, argv); }
