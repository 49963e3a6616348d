#include "gtest_parity/replay/span_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class SpanOnSideTest : public testing::Test {
 protected:
  SpanOnSideTest() {
    engine_ = SmallEngine();
    Add("input", DType::kF32);
    Add("output", DType::kBF16);
    Add("choice", DType::kI32).domain = ValueRange{0, 7};
    Add("inplace", DType::kF32);
    Add("state", DType::kF16).kind = Kind::kState;
    Add("dead", DType::kF32);
    Add("scratch", DType::kF32).role = Role::kScratch;
    Add("other_scratch", DType::kF32).role = Role::kScratch;
    span_.program = "decode";
    span_.frontier = {{Kind::kBuffer, "input", true, Write::kNone, false, {}},
                      {Kind::kBuffer, "output", false, Write::kPure, true, {}},
                      {Kind::kBuffer, "choice", false, Write::kPure, true, {}},
                      {Kind::kBuffer, "inplace", true, Write::kUpdate, true, {}},
                      {Kind::kState, "state", false, Write::kUpdate, true, {}},
                      {Kind::kBuffer, "dead", false, Write::kPure, false, {}}};
  }
  Tensor& Add(const std::string& name, DType dtype) {
    Tensor tensor{.name = name, .dtype = dtype, .shape = {{"rows", ""}}};
    return engine_.tensors[name] = tensor;
  }

  Description engine_;
  Span span_;
  OpRange ops_ = {3, 5};
  std::vector<std::string> writes_ = {"output", "choice",  "inplace",          "state",
                                      "dead",   "scratch", "private_to_nobody"};
};

TEST_F(SpanOnSideTest, WhatIsRestoredAndWhatIsWritten) {
  const SpanOnSide span(span_, engine_, ops_, writes_);
  ASSERT_EQ(span.size(), 6u);
  const bool restored[] = {true, false, false, true, true, false};
  const bool written[] = {false, true, true, true, true, true};
  for (std::size_t i = 0; i < span.size(); ++i) {
    EXPECT_EQ(span.Restored(i), restored[i]) << i;
    EXPECT_EQ(span.Written(i), written[i]) << i;
  }
  EXPECT_EQ(span.Ref(4).kind, Kind::kState);
  EXPECT_EQ(span.Ref(4).dtype, DType::kF16);
  EXPECT_EQ(span.DomainOf(2)->max, 7);
  EXPECT_FALSE(span.DomainOf(1).has_value());
}

// "restore input from before 0", "poison 1 output", "run decode 3 5"
std::vector<std::string> Texts(const Script& script) {
  std::vector<std::string> texts;
  for (const Instruction& at : script.instructions()) {
    if (at.what == Do::kRestore) {
      texts.push_back("restore " + at.tensor.name + " from " + at.a.held);
    } else if (at.what == Do::kPoison) {
      texts.push_back("poison " + std::to_string(at.which) + " " + at.tensor.name +
                      (at.domain ? " in domain" : ""));
    } else {
      texts.push_back("run " + at.program + " " + std::to_string(at.lo) + " " +
                      std::to_string(at.hi));
    }
  }
  return texts;
}

TEST_F(SpanOnSideTest, PreparesTheFrontierThenScratch) {
  const SpanOnSide span(span_, engine_, ops_, writes_);
  for (const std::uint32_t which : {0u, 1u}) {
    Script script;
    span.Prepare(script, which,
                 [](std::size_t i) { return Source::Held("before " + std::to_string(i)); });
    span.Run(script);
    const std::string poison = "poison " + std::to_string(which) + " ";
    EXPECT_THAT(
        Texts(script),
        ElementsAre("restore input from before 0", poison + "output", poison + "choice in domain",
                    "restore inplace from before 3", "restore state from before 4", poison + "dead",
                    poison + "scratch", "run decode 3 5"));
  }
}

TEST_F(SpanOnSideTest, FreeIsWhatItMayWriteAndIsNotCompared) {
  const SpanOnSide span(span_, engine_, ops_, writes_);
  EXPECT_THAT(span.Free(), UnorderedElementsAre("dead", "scratch", "private_to_nobody"));
}

}  // namespace
}  // namespace parity
