// The descriptions that are checked in: llama.cpp's and those of this project's own engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;

Description ReadCheckedIn(const std::string& path) {
  return ReadDescription(PARITY_SOURCE_DIR "/manifests/" + path, 1);
}

std::vector<std::string> LabelsOf(const Plan& plan, const std::string& program) {
  std::vector<std::string> labels;
  for (const Span& span : plan.spans) {
    if (span.program == program) labels.push_back(span.label);
  }
  return labels;
}

// Every cut that llama.cpp shows ends a span, and none is lost to what only one side has.
TEST(AcrossEngines, EachCutOfLlamaEndsASpan) {
  const Description llama = ReadCheckedIn("llama_cpp/kjv_2m.json");
  const Plan plan = PlanOf(ReadCheckedIn("tiny/paged.f32.json"), llama, "embed");
  for (const char* program : {"prefill", "decode"}) {
    EXPECT_THAT(LabelsOf(plan, program), ElementsAre("embed", "rope_rows .. layer0.attn_residual",
                                                     "layer0.mlp_norm .. layer0.mlp_residual",
                                                     "layer1.attn_norm .. layer1.attn_residual",
                                                     "layer1.mlp_norm .. layer1.mlp_residual",
                                                     "layer2.attn_norm .. layer2.attn_residual",
                                                     "layer2.mlp_norm .. layer2.mlp_residual",
                                                     "final_norm", "logits .. next_token"))
        << program;
  }
  for (const Span& span : plan.spans) EXPECT_EQ(span.candidate.size(), 1u) << span.slug;
}

TEST(AcrossEngines, SoItDoesTheOtherWayRound) {
  const Description llama = ReadCheckedIn("llama_cpp/kjv_2m.json");
  const Plan plan = PlanOf(llama, ReadCheckedIn("tiny/ported.f32.json"), "embed");
  for (const Program& program : llama.programs) {
    std::vector<std::string> cuts;
    for (const Op& op : program.ops) cuts.push_back(op.label);
    EXPECT_EQ(LabelsOf(plan, program.name), cuts) << program.name;
  }
}

TEST(AcrossEngines, WhatOnlyOneSideHasIsListed) {
  const Plan plan =
      PlanOf(ReadCheckedIn("tiny/paged.f32.json"), ReadCheckedIn("llama_cpp/kjv_2m.json"), "embed");
  const auto named = [](const char* name, bool before) {
    return AllOf(Field(&PrivateTensor::name, name),
                 Field(&PrivateTensor::read_before_span, before));
  };
  int looked_at = 0;
  for (const Span& span : plan.spans) {
    if (span.label == "rope_rows .. layer0.attn_residual") {
      ++looked_at;
      EXPECT_THAT(span.not_compared, Contains(named("cos", false)));
    }
    if (span.label != "layer1.attn_norm .. layer1.attn_residual") continue;
    ++looked_at;
    for (const char* name : {"cos", "sin", "layer1.k", "layer1.v"}) {
      EXPECT_THAT(span.not_compared, Contains(named(name, true)));
    }
    EXPECT_THAT(Compared(span), ElementsAre("h"));
  }
  EXPECT_EQ(looked_at, 4);
}

}  // namespace
}  // namespace parity
