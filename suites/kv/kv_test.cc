// The KV four-way matrix: whatever one engine saved, the other takes up and means the same by it.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/instantiate.h"
#include "gtest_parity/main.h"
#include "suites/kv/kv_campaign.h"

namespace parity {

class Cell : public ParityCase {};     // one check of one lane's saver and loader
class Policy : public ParityCase {};   // one rule of the stores, over random stores
class Store : public ParityCase {};    // what a store must stand
class Damaged : public ParityCase {};  // a lane's record, damaged in one kind of ways

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(Cell, Holds) { ExpectParity(); }
TEST_P(Policy, AnswersAlike) { ExpectParity(); }
TEST_P(Store, Stands) { ExpectParity(); }
TEST_P(Damaged, IsTakenAlike) { ExpectParity(); }

void InstantiateKv(const std::string& prefix, Suite& suite) {
  InstantiateFixture<Preflight>("Preflight", prefix, suite);
  InstantiateFixture<Cell>("Cell", prefix, suite);
  InstantiateFixture<Policy>("Policy", prefix, suite);
  InstantiateFixture<Store>("Store", prefix, suite);
  InstantiateFixture<Damaged>("Damaged", prefix, suite);
}

}  // namespace parity

int main(int argc, char** argv) {
  const parity::MakeCampaign campaign = [](parity::Manifest manifest,
                                           parity::SessionOptions options) {
    return std::make_unique<parity::kv::KvCampaign>(std::move(manifest), std::move(options));
  };
  return parity::ParityMain(argc, argv, {nullptr, campaign, parity::InstantiateKv});
}
