// parity_gguf as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/engines/llama_cpp/gguf/hand_made.h"
#include "tests/golden_file.h"
#include "tests/suite/driver/scratch_folder.h"
#include "tests/suite/driver/subprocess.h"

namespace parity::gguf::testing {
namespace {

using parity::testing::Finished;
using parity::testing::MatchesGoldenFile;
using parity::testing::RunProgram;
using parity::testing::ScratchFolder;
using ::testing::HasSubstr;

constexpr char kTinyModel[] = PARITY_SOURCE_DIR "/manifests/tiny/model";

Finished RunGguf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PARITY_GGUF);
  return RunProgram(arguments);
}

::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  return MatchesGoldenFile(
      std::string(PARITY_SOURCE_DIR "/tests/engines/llama_cpp/gguf/golden/") + name, text);
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ParityGguf, ListsKeysAndTensors) {
  const ScratchFolder scratch;
  const Finished finished = RunGguf({"list", scratch.Write("hand.gguf", HandMade())});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(MatchesGolden("list_hand_made.txt", finished.out));
}

TEST(ParityGguf, ConvertsTheTinyModelAndListsIt) {
  const ScratchFolder scratch;
  const std::string file = scratch.Path("tiny.gguf");
  const Finished converted = RunGguf({"convert", kTinyModel, file, "--type", "q8_0"});
  EXPECT_EQ(converted.exit_code, 0);
  EXPECT_EQ(converted.Text(), "");
  EXPECT_TRUE(MatchesGolden("list_tiny.txt", RunGguf({"list", file}).out));
}

TEST(ParityGguf, PlantsAFault) {
  const ScratchFolder scratch;
  const std::string right = scratch.Write("hand.gguf", HandMade()), wrong = scratch.Path("wrong");
  const Finished finished = RunGguf(
      {"edit", right, wrong, "--scale", "a=2", "--shift-row", "a=0", "--other-weights", "5"});
  EXPECT_EQ(finished.exit_code, 0) << finished.Text();
  EXPECT_EQ(Read(wrong).size(), HandMade().size());
  EXPECT_NE(Read(wrong), HandMade());
}

TEST(ParityGguf, SaysWhatIsWrongAndWritesNothing) {
  const ScratchFolder scratch;
  const std::string right = scratch.Write("hand.gguf", HandMade()), wrong = scratch.Path("wrong");
  const Finished finished = RunGguf({"edit", right, wrong, "--scale", "d=2"});
  EXPECT_EQ(finished.exit_code, 4);
  EXPECT_EQ(finished.err, right + ": a tensor: got \"d\", expected \"a\"\n");
  EXPECT_FALSE(std::filesystem::exists(wrong));
  const Finished none = RunGguf({"list", scratch.Path("none")});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_EQ(none.err, scratch.Path("none") + ": the file: got none, expected a GGUF\n");
}

TEST(ParityGguf, WrongArgumentsAreWrongUse) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"edit", "in", "out"},
                                                    {"convert", "in", "out"},
                                                    {"convert", "in", "out", "--type", "q4_0"},
                                                    {"list"},
                                                    {"melt", "in"}}) {
    const Finished finished = RunGguf(arguments);
    EXPECT_EQ(finished.exit_code, 2) << finished.Text();
    EXPECT_NE(finished.err, "");
  }
  EXPECT_THAT(RunGguf({"--help"}).out, HasSubstr("convert"));
}

}  // namespace
}  // namespace parity::gguf::testing
