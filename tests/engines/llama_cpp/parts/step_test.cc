#include "gtest_parity/engines/llama_cpp/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const EngineLimits kLimits{.rows = 8, .sequences = 2, .context = 10, .vocabulary = 100};

// A step of two sequences that a test spoils one field of.
struct StepText {
  std::vector<std::int32_t> tokens = {3, 4, 5}, positions = {0, 1, 6};
  std::vector<parity_sequence> sequences = {{sizeof(parity_sequence), 0, 0, 2, nullptr, 0},
                                            {sizeof(parity_sequence), 1, 6, 1, nullptr, 0}};
  std::uint64_t rows = 3;
  const char* program = "prefill";

  Step Copy() const {
    return CopyStep({sizeof(parity_step), program, "run", rows, tokens.data(), positions.data(),
                     sequences.size(), sequences.data()},
                    kLimits);
  }
};

std::string ErrorOf(const std::function<void(StepText&)>& spoil) {
  StepText text;
  spoil(text);
  try {
    text.Copy();
  } catch (const EngineError& error) {
    return error.what();
  }
  return "";
}

TEST(LlamaStep, IsCopied) {
  const Step step = StepText().Copy();
  EXPECT_THAT(step.tokens, ElementsAre(3, 4, 5));
  EXPECT_EQ(step.sequences[1], (StepSequence{1, 6, 1, 2}));
}

TEST(LlamaStep, IsRefusedWithWhatIsWrong) {
  EXPECT_THAT(ErrorOf([](StepText& s) { s.program = "verify"; }),
              HasSubstr("is \"verify\", known"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.program = nullptr; }), HasSubstr("is \"\", known"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.rows = 9; }),
              HasSubstr("step.rows is 9, expected 1 to 8"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.rows = 2; }), HasSubstr("step.sequences[1].rows is 1"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.sequences.pop_back(); }),
              HasSubstr("step.rows is 3, its sequences have 2"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.sequences.clear(); }),
              HasSubstr("step.sequence_count is 0, expected 1 to 2"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.sequences[0].struct_size = 8; }),
              HasSubstr("struct_size is 8, expected at least"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.sequences[1].slot = 2; }),
              HasSubstr("step.sequences[1].slot is 2, expected 0 to 1"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.sequences[1].slot = 0; }),
              HasSubstr("which another sequence of the step occupies"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.tokens[1] = 100; }),
              HasSubstr("step.tokens[1] is 100, expected 0 to 99"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.tokens[1] = -1; }), HasSubstr("step.tokens[1] is -1"));
  EXPECT_THAT(ErrorOf([](StepText& s) { s.positions[2] = 5; }),
              HasSubstr("step.positions[2] is 5, expected 6"));
}

TEST(LlamaStep, RefusesASequenceBeyondTheContext) {
  StepText text;
  text.sequences[1].past = 10;
  text.positions[2] = 10;
  try {
    text.Copy();
    FAIL() << "took it";
  } catch (const RefusedError& refused) {
    EXPECT_EQ(refused.status(), PARITY_REFUSED);
    EXPECT_EQ(refused.refusal().guard, "context_limit");
    EXPECT_THAT(refused.refusal().operands, HasSubstr("\"context\": 10"));
  }
}

std::string GuardOf(Slots& slots, const Step& step) {
  try {
    slots.Stage(step);
  } catch (const RefusedError& refused) {
    return refused.refusal().guard;
  }
  return "";
}

TEST(LlamaSlots, TakeStepsInOrder) {
  Slots slots;
  const Step first = {"prefill", {3, 4}, {0, 1}, {{0, 0, 2, 0}}};
  const Step second = {"decode", {5}, {2}, {{0, 2, 1, 0}}};
  EXPECT_EQ(GuardOf(slots, second), "step_order");
  EXPECT_EQ(GuardOf(slots, first), "");
  EXPECT_EQ(GuardOf(slots, second), "step_finished");
  slots.Finish(first);
  slots.Finish(first);  // it was repeated
  EXPECT_THAT(slots.Of(0), ElementsAre(3, 4));
  EXPECT_EQ(GuardOf(slots, first), "step_order");
  EXPECT_EQ(GuardOf(slots, second), "");
  slots.Finish(second);
  EXPECT_THAT(slots.Of(0), ElementsAre(3, 4, 5));
  EXPECT_THAT(slots.Of(1), IsEmpty());
}

}  // namespace
}  // namespace parity::llama_cpp
