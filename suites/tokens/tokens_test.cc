// Greedy ids: each side's own generation from the workload's prompts; and text to ids and back.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/instantiate.h"
#include "gtest_parity/main.h"
#include "suites/tokens/token_inquiry.h"

namespace parity {

class Greedy : public ParityCase {};      // one scenario, id by id
class SpecialIds : public ParityCase {};  // bos, eos, ... by name
class Encode : public ParityCase {};      // a text to ids
class Decode : public ParityCase {};      // ids to text, and back
class Stream : public ParityCase {};      // ids to text, one by one
class Framing : public ParityCase {};     // a chat to the ids of its prompt

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(Greedy, Matches) { ExpectParity(); }
TEST_P(SpecialIds, Match) { ExpectParity(); }
TEST_P(Encode, Matches) { ExpectParity(); }
TEST_P(Decode, Matches) { ExpectParity(); }
TEST_P(Stream, Matches) { ExpectParity(); }
TEST_P(Framing, Matches) { ExpectParity(); }

void InstantiateTokens(const std::string& prefix, Suite& suite) {
  InstantiateFixture<Preflight>("Preflight", prefix, suite);
  InstantiateFixture<Greedy>("Greedy", prefix, suite);
  InstantiateFixture<SpecialIds>("SpecialIds", prefix, suite);
  InstantiateFixture<Encode>("Encode", prefix, suite);
  InstantiateFixture<Decode>("Decode", prefix, suite);
  InstantiateFixture<Stream>("Stream", prefix, suite);
  InstantiateFixture<Framing>("Framing", prefix, suite);
}

}  // namespace parity

int main(int argc, char** argv) {
  const parity::MakeInquiry inquiry = [](const parity::Plan& plan,
                                         const parity::Workload& workload) {
    return std::make_unique<parity::TokenInquiry>(plan, workload);
  };
  return parity::ParityMain(argc, argv, {inquiry, nullptr, parity::InstantiateTokens});
}
