// The wire surface matrix: clients cannot tell the candidate's server from the reference's.
#include "gtest_parity/fixtures.h"
#include "gtest_parity/instantiate.h"
#include "gtest_parity/main.h"
#include "suites/wire/campaign/wire_campaign.h"

namespace parity {

class SurfaceRules : public ParityCase {};  // a group of rules over one surface in one lane
class Probe : public ParityCase {};         // one probe, in all ways that it is asked
class Lane : public ParityCase {};          // what holds over all that a lane's servers did
class Refusals : public ParityCase {};      // what a person has classified

TEST_P(Preflight, Loads) { ExpectParity(); }
TEST_P(SurfaceRules, Hold) { ExpectParity(); }
TEST_P(Probe, IsAnsweredAlike) { ExpectParity(); }
TEST_P(Lane, Holds) { ExpectParity(); }
TEST_P(Refusals, AreStillThere) { ExpectParity(); }

void InstantiateWire(const std::string& prefix, Suite& suite) {
  InstantiateFixture<Preflight>("Preflight", prefix, suite);
  InstantiateFixture<SurfaceRules>("SurfaceRules", prefix, suite);
  InstantiateFixture<Probe>("Probe", prefix, suite);
  InstantiateFixture<Lane>("Lane", prefix, suite);
  InstantiateFixture<Refusals>("Refusals", prefix, suite);
}

}  // namespace parity

int main(int argc, char** argv) {
  const parity::MakeCampaign campaign = [](parity::Manifest manifest,
                                           parity::SessionOptions options) {
    return std::make_unique<parity::wire::WireCampaign>(std::move(manifest), std::move(options));
  };
  return parity::ParityMain(argc, argv, {nullptr, campaign, parity::InstantiateWire, true});
}
