#include "suites/kv/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace parity::kv {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class VariantsTest : public ::testing::Test {
 protected:
  VariantsTest() {
    manifest_.candidate.config = json::parse(R"({"model": "/m", "dtype": "f32"})");
    SideVariant& side = manifest_.kv.variants["bf16"].candidate;
    side.config = json::parse(R"({"dtype": "bf16", "kv": {"context": 64}})");
    side.description = "/bf16.json";
  }
  Manifest manifest_;
};

TEST_F(VariantsTest, ThePhaseComesOverTheVariant) {
  Variants variants(manifest_, "lanes.yaml", {});
  ServerStart start;
  start.config = json::parse(R"({"kv": {"context": 32}})");
  variants.Apply("bf16", &start);
  EXPECT_EQ(start.config, json::parse(R"({"dtype": "bf16", "kv": {"context": 32}})"));
  EXPECT_EQ(start.description, "/bf16.json");
  // The reference is as it is anyway.
  ServerStart reference;
  reference.reference = true;
  variants.Apply("bf16", &reference);
  EXPECT_EQ(reference.config, json::object());
  EXPECT_EQ(reference.description, "");
}

TEST_F(VariantsTest, ALaneWithoutItsVariantIsRefusedWithItsPlace) {
  Lane lane;
  lane.name = "threads";
  lane.at = {7, 3};
  lane.load.variant = "four_threads";
  try {
    Variants(manifest_, "lanes.yaml", {lane});
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "lanes.yaml:7:3: variant of lane threads: got \"four_threads\", expected one of "
                 "the manifest's kv.variants, which are bf16");
  }
}

TEST_F(VariantsTest, WeightsAreCopiedOnceForBothSides) {
  const TemporaryFolder model("variants_model");
  const std::string header = R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
  const std::uint64_t size = header.size();
  std::ofstream(model.Path("m.safetensors"), std::ios::binary)
      << std::string(reinterpret_cast<const char*>(&size), 8) << header << "abcd";
  manifest_.reference.config["model"] = manifest_.candidate.config["model"] = model.path();
  KvVariant& other = manifest_.kv.variants["other"];
  other.reference.other_weights = other.candidate.other_weights = "/model";
  Variants variants(manifest_, "lanes.yaml", {});
  ServerStart reference, candidate;
  reference.reference = true;
  variants.Apply("other", &reference);
  variants.Apply("other", &candidate);
  EXPECT_EQ(reference.config, candidate.config);
  EXPECT_NE(reference.config.at("model"), model.path());
  EXPECT_TRUE(
      std::filesystem::exists(reference.config.at("model").get<std::string>() + "/m.safetensors"));
}

TEST_F(VariantsTest, WeightsMustBeWhereThePointerSays) {
  manifest_.kv.variants["other"].candidate.other_weights = "/weights";
  Variants variants(manifest_, "lanes.yaml", {});
  ServerStart start;
  EXPECT_THAT([&] { variants.Apply("other", &start); },
              ::testing::ThrowsMessage<std::runtime_error>(
                  HasSubstr("variant other: config has no weights at /weights")));
}

}  // namespace
}  // namespace parity::kv
