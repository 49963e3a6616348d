// Planted faults change what they name, and nothing else.
#include "gtest_parity/engines/llama_cpp/gguf/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "tests/engines/llama_cpp/gguf/hand_made.h"

namespace parity::gguf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<float> Values(const std::string& bytes, const std::string& name) {
  const Layout layout = ReadLayout("edited.gguf", bytes);
  const Tensor& tensor = *FindTensor(layout, name);
  return Decode(std::string_view(bytes).substr(tensor.offset, tensor.bytes), tensor.type->number);
}

std::string EditError(const Edits& edits, const std::string& bytes = HandMade()) {
  try {
    Edit("hand.gguf", bytes, edits);
    return "";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

// All but the data of one tensor is what it was.
void ExpectElsewhereAsBefore(const std::string& edited, const std::string& name) {
  const std::string before = HandMade();
  const Layout layout = ReadLayout("hand.gguf", before);
  const Tensor& tensor = *FindTensor(layout, name);
  ASSERT_EQ(edited.size(), before.size());
  EXPECT_EQ(edited.substr(0, tensor.offset), before.substr(0, tensor.offset));
  EXPECT_EQ(edited.substr(tensor.offset + tensor.bytes),
            before.substr(tensor.offset + tensor.bytes));
}

TEST(EditScale, MultipliesEveryValue) {
  const std::string edited = Edit("hand.gguf", HandMade(), {{{"a", 1.5f}}, {}, {}});
  EXPECT_THAT(Values(edited, "a"), ElementsAre(1.5f, 3, 4.5f, 6, 7.5f, 9));
  ExpectElsewhereAsBefore(edited, "a");
}

TEST(EditScale, RoundsAsTheTypeDoes) {
  const std::string edited = Edit("hand.gguf", HandMade(), {{{"b", 0.1f}}, {}, {}});
  EXPECT_THAT(Values(edited, "b"), ElementsAre(OfF16(F16Of(0.1f)), OfF16(F16Of(-0.2f)),
                                               OfF16(F16Of(0.05f)), OfF16(F16Of(65504 * 0.1f))));
  ExpectElsewhereAsBefore(edited, "b");
}

TEST(EditScale, ScalesTheBlocksOfQ8) {
  const std::string edited = Edit("hand.gguf", HandMade(), {{{"c", 2}}, {}, {}});
  const std::vector<float> values = Values(edited, "c");
  EXPECT_EQ(values[31], 62);
  EXPECT_EQ(values[63], -32);
  ExpectElsewhereAsBefore(edited, "c");
}

TEST(EditShiftRow, TakesTheNextRowsValues) {
  const std::string edited = Edit("hand.gguf", HandMade(), {{}, {{"a", 1}}, {}});
  EXPECT_THAT(Values(edited, "a"), ElementsAre(1, 2, 5, 6, 5, 6));
  ExpectElsewhereAsBefore(edited, "a");
  const std::vector<float> blocks =
      Values(Edit("hand.gguf", HandMade(), {{}, {{"c", 0}}, {}}), "c");
  EXPECT_EQ(blocks[0], -0.5f);
  EXPECT_EQ(blocks[32], -0.5f);
}

TEST(EditShiftRow, WantsARowWithAnotherAfterIt) {
  EXPECT_EQ(EditError({{}, {{"a", 2}}, {}}),
            "hand.gguf: the row of a: got 2, expected one that has another after it, of 3 rows");
  EXPECT_NE(EditError({{}, {{"a", ~std::uint64_t{0}}}, {}}), "");
  EXPECT_NE(EditError({{}, {{"b", 0}}, {}}), "");
}

TEST(EditOtherWeights, ReordersRowsAndTurnsSigns) {
  const std::string edited = Edit("hand.gguf", HandMade(), {{}, {}, 1});
  for (const char* name : {"a", "c"}) {
    std::vector<float> before = Values(HandMade(), name), after = Values(edited, name);
    EXPECT_NE(after, before) << name;
    for (std::vector<float>* values : {&before, &after}) {
      std::transform(values->begin(), values->end(), values->begin(),
                     [](float value) { return std::abs(value); });
    }
    EXPECT_THAT(after, UnorderedElementsAreArray(before)) << name;
  }
  EXPECT_EQ(Values(edited, "b"), Values(HandMade(), "b"));
}

TEST(EditOtherWeights, IsOfTheSeedAlone) {
  const auto seeded = [](std::uint64_t seed) {
    return Edit("hand.gguf", HandMade(), {{}, {}, seed});
  };
  EXPECT_EQ(seeded(1), seeded(1));
  EXPECT_NE(seeded(1), seeded(2));
  EXPECT_NE(seeded(1), seeded((std::uint64_t{1} << 32) + 1));
}

// Rows stay whole: each is one of the rows before, or one with every sign turned.
TEST(EditOtherWeights, KeepsRowsWhole) {
  const std::vector<float> after = Values(Edit("hand.gguf", HandMade(), {{}, {}, 2}), "a");
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(after[2 * row + 1] - after[2 * row], after[2 * row] < 0 ? -1 : 1);
  }
}

TEST(EditOtherWeights, TurnsEveryByteOfABlock) {
  // -128 has no opposite in a byte.
  std::string data = std::string("\0\74", 2) + std::string(32, '\200');
  data += data;
  const std::string bytes = WriteGguf({}, {{"m", {32, 2}, kQ8_0, data}});
  bool turned = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    if (EditError({{}, {}, seed}, bytes) != "") continue;  // no sign was turned
    for (const float value : Values(Edit("m.gguf", bytes, {{}, {}, seed}), "m")) {
      EXPECT_TRUE(value == -128 || value == 127) << value;
      turned = turned || value == 127;
    }
  }
  EXPECT_TRUE(turned);
}

TEST(Edit, AppliesAllThatAreGiven) {
  const std::string edited =
      Edit("hand.gguf", HandMade(), {{{"a", 2}, {"b", 0.5f}}, {{"a", 0}, {"a", 1}}, {}});
  EXPECT_THAT(Values(edited, "a"), ElementsAre(6, 8, 10, 12, 10, 12));
  EXPECT_THAT(Values(edited, "b"), ElementsAre(0.5f, -1, 0.25f, 32752));
}

TEST(Edit, NamesTheNearestTensor) {
  const std::string bytes =
      WriteGguf({}, {{"blk.1.ffn_up.weight", {1}, kF32, std::string(4, '\1')},
                     {"blk.2.ffn_up.weight", {1}, kF32, std::string(4, '\1')}});
  EXPECT_EQ(EditError({{{"blk.1.ffn_op.weight", 2}}, {}, {}}, bytes),
            "hand.gguf: a tensor: got \"blk.1.ffn_op.weight\", expected \"blk.1.ffn_up.weight\"");
  EXPECT_EQ(EditError({{}, {{"output", 0}}, {}}, bytes),
            "hand.gguf: a tensor: got \"output\", expected one of blk.1.ffn_up.weight, "
            "blk.2.ffn_up.weight");
}

TEST(Edit, RefusesAFaultThatIsNone) {
  EXPECT_EQ(EditError({{{"a", 1}}, {}, {}}),
            "hand.gguf: the edit of a: got the values that were there, expected others");
  const std::string bytes = WriteGguf({}, {{"m", {1, 2}, kF32, std::string(8, '\0')}});
  EXPECT_NE(EditError({{}, {{"m", 0}}, {}}, bytes), "");
  EXPECT_EQ(EditError({{}, {}, 1}, WriteGguf({}, {{"v", {1}, kF32, std::string(4, '\1')}})),
            "hand.gguf: other weights: got no matrix, expected a tensor of two dimensions or more");
}

TEST(Edit, RefusesWhatItCannotCompute) {
  const std::string bytes = WriteGguf({}, {{"m", {32, 2}, 2, std::string(36, '\1')}});
  EXPECT_EQ(EditError({{{"m", 2}}, {}, {}}, bytes),
            "hand.gguf: the type of m: got q4_0, expected f32, f16, bf16 or q8_0, which can be "
            "edited");
  EXPECT_NE(EditError({{}, {}, 1}, bytes), "");
  EXPECT_EQ(EditError({{{"b", 2}}, {}, {}}),
            "hand.gguf: the edit of b: got a value beyond f16, expected a smaller factor");
  EXPECT_NE(EditError({{{"c", 1e6f}}, {}, {}}), "");
  EXPECT_EQ(EditError({{{"a", 2}}, {}, {}}, "no gguf"),
            "hand.gguf: the magic: got \"no g\", expected \"GGUF\"");
}

TEST(Edit, ReadsItsArguments) {
  const Scale scale = ParseScale("blk.0.attn=q.weight=-1.5e-1");
  EXPECT_EQ(scale.tensor, "blk.0.attn=q.weight");
  EXPECT_EQ(scale.factor, -0.15f);
  const ShiftRow shift = ParseShiftRow("m=12");
  EXPECT_EQ(shift.tensor, "m");
  EXPECT_EQ(shift.row, 12u);
  for (const char* text : {"", "m", "m=", "=2", "m=2x", "m= 2", "m=nan", "m=inf", "m=1e99"}) {
    EXPECT_THROW(ParseScale(text), InvalidInput) << text;
  }
  for (const char* text : {"", "m", "m=", "=2", "m=-1", "m=1.5", "m=99999999999999999999"}) {
    EXPECT_THROW(ParseShiftRow(text), InvalidInput) << text;
  }
}

}  // namespace
}  // namespace parity::gguf::testing
