// What the installed headers let one write, and what they must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/consumers/stage.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;

Finished Compile(const std::string& file, const std::string& code,
                 const std::vector<std::string>& options) {
  const ScratchFolder folder;
  std::vector<std::string> command = {file.ends_with(".c") ? PARITY_CC : PARITY_CXX,
                                      "-fsyntax-only",
                                      "-Wall",
                                      "-Wextra",
                                      "-Wpedantic",
                                      "-Werror",
                                      "-I" + Stage::Whole().Path("include")};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(folder.Write(file, code));
  return RunProgram(command);
}

TEST(Headers, AreAllThere) {
  std::string code;
  for (const std::string& file : Stage::Whole().Files()) {
    if (!file.starts_with("include/") || !file.ends_with(".h")) continue;
    code += "#include \"" + file.substr(file.find('/') + 1) + "\"\n";
  }
  EXPECT_THAT(code, HasSubstr("kernels/elements.h"));
  const Finished run = Compile("all.cc", code + code, {"-std=c++20"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Headers, OfEnginesAreCAndCpp) {
  const std::string code =
      "#include \"gtest_parity/engine/engine.h\"\n"
      "int size(void);\nint size(void) { return (int)sizeof(parity_engine_api); }\n";
  EXPECT_EQ(Compile("engine.c", code, {"-std=c99"}).err, "");
  EXPECT_EQ(Compile("engine.cc", code, {"-std=c++98", "-Wno-long-long"}).err, "");
}

struct MustNotCompile {
  const char* name;
  const char* header;
  const char* right;
  const char* wrong;
  const char* words;  // of the compiler, about the wrong one
};

class MustNotCompileTest : public ::testing::TestWithParam<MustNotCompile> {};

// The right line compiles, so that the wrong one fails for what is wrong with it.
TEST_P(MustNotCompileTest, IsRefusedByTheCompiler) {
  const MustNotCompile& line = GetParam();
  const auto compile = [&](const char* body) {
    return Compile("line.cc",
                   "#include <utility>\n#include \"" + std::string(line.header) +
                       "\"\nnamespace parity {\n" + body + "\n}\n",
                   {"-std=c++20"});
  };
  const Finished right = compile(line.right);
  EXPECT_EQ(right.exit_code, 0) << right.err;
  const Finished wrong = compile(line.wrong);
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_THAT(wrong.err, HasSubstr(line.words));
}

INSTANTIATE_TEST_SUITE_P(
    lines, MustNotCompileTest,
    ::testing::Values(
        MustNotCompile{"BitsOfAnotherSize", "kernels/host_device.h",
                       "unsigned f(float x) { return BitCast<unsigned>(x); }",
                       "unsigned long long f(float x) { return BitCast<unsigned long long>(x); }",
                       "sizeof"},
        MustNotCompile{
            "ADescriptorTwice", "gtest_parity/device/file_descriptor.h",
            "FileDescriptor f(FileDescriptor x) { return FileDescriptor(std::move(x)); }",
            "FileDescriptor f(FileDescriptor& x) { return FileDescriptor(x); }", "deleted"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace parity::testing
