// What sides are started as where a lane says so.
#ifndef GTEST_PARITY_SUITES_KV_VARIANTS_H_
#define GTEST_PARITY_SUITES_KV_VARIANTS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/manifest/manifest.h"
#include "suites/kv/lane.h"
#include "suites/kv/server.h"
#include "suites/kv/store_folder.h"

namespace parity::kv {

class Variants {
 public:
  // `manifest` outlives this object. Throws InvalidInput, with `lanes_path` and the lane's place,
  // for a lane that wants a variant which the manifest does not have.
  Variants(const Manifest& manifest, const std::string& lanes_path, const std::vector<Lane>& lanes);

  // Sets what the variant is on that side; the phase's own configuration comes over it. Weights are
  // copied the first time. Throws std::runtime_error where they cannot be.
  void Apply(const std::string& name, ServerStart* start);

 private:
  // The path of a copy: of a folder, or of a GGUF.
  std::string OtherWeightsOf(const std::string& weights);

  const Manifest& manifest_;
  std::map<std::string, std::unique_ptr<TemporaryFolder>> copies_;  // by what is copied
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_VARIANTS_H_
