// A GGUF is read as the format has it, and nothing else is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "tests/engines/llama_cpp/gguf/hand_made.h"

namespace parity::gguf::testing {
namespace {

using std::string_literals::operator""s;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kOnes(8, '\377');

TEST(ReadLayout, ReadsKeysAndTensors) {
  const std::string bytes = HandMade();
  const Layout layout = ReadLayout("hand.gguf", bytes);
  EXPECT_EQ(layout.version, 3u);
  EXPECT_EQ(layout.alignment, 32u);
  ASSERT_EQ(layout.metadata.size(), 3u);
  EXPECT_EQ(*Find(layout.metadata, "general.architecture"), Text("toy"));
  EXPECT_EQ(*Find(layout.metadata, "toy.sizes"), I32s({1, -2}));
  EXPECT_EQ(*Find(layout.metadata, "toy.on"), Bool(true));
  ASSERT_EQ(layout.tensors.size(), 3u);
  const Tensor& a = *FindTensor(layout, "a");
  EXPECT_EQ(a.type->name, "f32");
  EXPECT_THAT(a.shape, ElementsAre(2, 3));
  EXPECT_EQ(a.Rows(), 3u);
  EXPECT_EQ(a.RowBytes(), 8u);
  EXPECT_EQ(bytes.substr(a.offset, 4), "\0\0\200\77"s);
  const Tensor& c = *FindTensor(layout, "c");
  EXPECT_EQ(c.bytes, 68u);
  EXPECT_EQ(c.RowBytes(), 34u);
  EXPECT_EQ(c.offset + c.bytes, bytes.size());
  EXPECT_EQ(FindTensor(layout, "d"), nullptr);
}

TEST(ReadLayout, VersionTwoHasTheSameLayout) {
  EXPECT_EQ(ReadLayout("hand.gguf", HandMadeWith("GGUF", 0, "\2")).version, 2u);
}

TEST(ReadLayout, RefusesEveryBeginningOfAFile) {
  const std::string bytes = HandMade();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(LayoutError(bytes.substr(0, size)), "") << size;
  }
}

// A reader that believed one would ask for all of the address space.
TEST(ReadLayout, BelievesNoCountBeforeTheFileHasIt) {
  EXPECT_THAT(LayoutError(HandMadeWith("GGUF\3\0\0\0"s, 0, kOnes)),
              HasSubstr("the dimensions of \"\": got 0"));
  EXPECT_THAT(LayoutError(HandMadeWith("GGUF\3\0\0\0\3\0\0\0\0\0\0\0"s, 0, kOnes)),
              AllOf(HasSubstr("hand.gguf: "), HasSubstr("to the file's end")));
  EXPECT_THAT(LayoutError(HandMadeWith("general.architecture\10\0\0\0"s, 0, kOnes)),
              HasSubstr("\"general.architecture\" at byte 64: got "));
  EXPECT_THAT(LayoutError(HandMadeWith("toy.sizes", 8, kOnes)),
              HasSubstr("the count of \"toy.sizes\": got 18446744073709551615"));
  EXPECT_THAT(LayoutError(HandMadeWith("toy.on\7\0\0\0\1"s, 0, kOnes)),
              HasSubstr("the name of tensor 0"));
}

TEST(ReadLayout, RefusesWhatIsNoGguf) {
  EXPECT_EQ(LayoutError("GGML" + HandMade().substr(4)),
            "hand.gguf: the magic: got \"GGML\", expected \"GGUF\"");
  EXPECT_EQ(LayoutError(HandMadeWith("GGUF", 0, "\0\0\0\3"s)),
            "hand.gguf: the version: got 50331648, expected 2 or 3, little-endian");
  EXPECT_EQ(LayoutError(HandMadeWith("GGUF", 0, "\1")),
            "hand.gguf: the version: got 1, expected 2 or 3, little-endian");
}

TEST(ReadLayout, RefusesTypesThatThereAreNot) {
  EXPECT_EQ(LayoutError(HandMadeWith("toy.on", 0, "\15")),
            "hand.gguf: the type of \"toy.on\": got 13, expected 0 to 12");
  EXPECT_EQ(LayoutError(HandMadeWith("toy.sizes", 4, "\11")),
            "hand.gguf: \"toy.sizes\": got an array of arrays, expected an array of numbers or "
            "strings");
  EXPECT_EQ(LayoutError(HandMadeWith("b\1\0\0\0"s, 8, "\4")),
            "hand.gguf: the type of \"b\": got 4, expected a type of ggml that is known here");
}

TEST(ReadLayout, RefusesNamesThatAreThereTwice) {
  EXPECT_EQ(LayoutError(HandMadeWith("toy.on\7\0\0\0\1\1\0\0\0\0\0\0\0"s, 0, "c")),
            "hand.gguf: \"c\": got the tensor twice, expected once");
  std::string bytes = HandMade();
  const std::string key = "\6\0\0\0\0\0\0\0toy.on\7\0\0\0\1"s;
  bytes.insert(bytes.find(key), key);
  bytes[16] = 4;
  EXPECT_EQ(LayoutError(bytes), "hand.gguf: \"toy.on\": got the key twice, expected once");
}

TEST(ReadLayout, RefusesShapesThatAreNone) {
  const std::string a = "toy.on\7\0\0\0\1\1\0\0\0\0\0\0\0a"s;
  EXPECT_THAT(LayoutError(HandMadeWith(a, 0, "\0"s)), HasSubstr("dimensions of \"a\": got 0"));
  EXPECT_THAT(LayoutError(HandMadeWith(a, 0, "\5")), HasSubstr("dimensions of \"a\": got 5"));
  EXPECT_THAT(LayoutError(HandMadeWith(a, 4, "\0"s)), HasSubstr("shape of \"a\": got extent 0"));
  EXPECT_THAT(LayoutError(HandMadeWith(a, 4, kOnes)),
              HasSubstr("expected extents above 0, with a size in 64 bits"));
  EXPECT_EQ(LayoutError(HandMadeWith("c\2\0\0\0"s, 0, "\41")),
            "hand.gguf: the rows of \"c\": got 33 elements, expected a multiple of the 32 in a "
            "block of q8_0");
}

TEST(ReadLayout, RefusesDataThatLiesElsewhere) {
  const std::string b = "b\1\0\0\0\4\0\0\0\0\0\0\0\1\0\0\0"s;
  EXPECT_EQ(LayoutError(HandMadeWith(b, 0, "\41")),
            "hand.gguf: the data of \"b\": got offset 33, expected a multiple of 32 from 24, "
            "behind the tensor before it");
  EXPECT_THAT(LayoutError(HandMadeWith(b, 0, "\0"s)), HasSubstr("got offset 0"));
  EXPECT_EQ(LayoutError(HandMadeWith(b, 0, "\0\1"s)),
            "hand.gguf: the data of \"b\": got 8 bytes at 256, expected at most the 132 bytes of "
            "data that the file has");
  EXPECT_THAT(LayoutError(HandMadeWith(b, 0, "\340\377\377\377\377\377\377\377")),
              HasSubstr("at 18446744073709551584"));
}

TEST(ReadLayout, AlignsDataAsTheKeySays) {
  const Metadata keys = {{"general.alignment", U32(64)}};
  const std::string bytes = WriteGguf(keys, {});
  EXPECT_EQ(ReadLayout("empty.gguf", bytes).alignment, 64u);
  EXPECT_EQ(LayoutError(WriteGguf({{"general.alignment", U32(24)}}, {})),
            "hand.gguf: general.alignment: got u32 24, expected u32, a power of 2");
  EXPECT_EQ(LayoutError(WriteGguf({{"general.alignment", Text("32")}}, {})),
            "hand.gguf: general.alignment: got string \"32\", expected u32, a power of 2");
}

TEST(ReadLayout, RefusesANameThatGgmlCannotHold) {
  const auto named = [](std::size_t length) {
    return WriteGguf({}, {{std::string(length, 'n'), {1}, kF32, std::string(4, '\0')}});
  };
  EXPECT_EQ(LayoutError(named(63)), "");
  EXPECT_EQ(LayoutError(named(64)),
            "hand.gguf: the name of tensor 0: got 64 bytes, expected at most 63");
}

TEST(WriteGguf, WritesWhatTheHandMadeFileHas) {
  const std::string bytes = HandMade();
  const Layout layout = ReadLayout("hand.gguf", bytes);
  std::vector<NewTensor> tensors;
  for (const Tensor& tensor : layout.tensors) {
    tensors.push_back({tensor.name, tensor.shape, tensor.type->number,
                       bytes.substr(tensor.offset, tensor.bytes)});
  }
  const std::string written = WriteGguf(layout.metadata, tensors);
  EXPECT_EQ(written.size() % 32, 0u);
  EXPECT_EQ(written.substr(0, bytes.size()), bytes);
}

}  // namespace
}  // namespace parity::gguf::testing
