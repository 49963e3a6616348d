#include "gtest_parity/manifest/slug.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

TEST(Slug, IsSafeInGoogleTestNames) {
  EXPECT_EQ(Slugged("layer0.attention"), "layer0_attention");
  EXPECT_EQ(Slugged("Model.Layers[3]/Q-proj"), "model_layers_3_q_proj");
  EXPECT_EQ(Slugged("..."), "x");
  EXPECT_EQ(Slugged("caf\xc3\xa9"), "caf");
}

TEST(Slug, SaysWhatLabelsShareOnce) {
  SlugMaker maker;
  EXPECT_EQ(maker.Make("decode", "layer0.attention", "layer0.attention"),
            "decode_layer0_attention");
  EXPECT_EQ(maker.Make("prefill", "layer0.q", "layer0.append"), "prefill_layer0_q_to_append");
  EXPECT_EQ(maker.Make("prefill", "layer0.add", "layer1.norm"),
            "prefill_layer0_add_to_layer1_norm");
  EXPECT_EQ(maker.Make("prefill", "a.b.q", "a.b.query"), "prefill_a_b_q_to_query");
}

TEST(Slug, CollisionsAreNumberedInOrder) {
  SlugMaker maker;
  EXPECT_EQ(maker.Make("p", "a.b", "a.b"), "p_a_b");
  EXPECT_EQ(maker.Make("p", "a_b", "a_b"), "p_a_b_2");
  EXPECT_EQ(maker.Make("p_a", "b", "b"), "p_a_b_3");
}

TEST(SpanLabel, HasBothEnds) {
  EXPECT_EQ(SpanLabel("a", "a"), "a");
  EXPECT_EQ(SpanLabel("a", "b"), "a .. b");
}

}  // namespace
}  // namespace parity
