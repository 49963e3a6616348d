#include "gtest_parity/manifest/implementation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/files.h"

namespace parity {
namespace {

TEST(HashFile, IsSha256) {
  const TempFolder folder;
  EXPECT_EQ(HashFile(folder.Write("empty", "")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(HashFile(folder.Write("abc", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_THAT(ErrorOf([&] { HashFile(folder.Path("none")); }), testing::HasSubstr("none"));
}

class ImplementationTest : public testing::Test {
 protected:
  SideDeclaration Side(const std::string& library, const std::string& engine) {
    SideDeclaration side;
    side.library = folder_.Path(library);
    side.engine = engine;
    return side;
  }
  TempFolder folder_;
};

TEST_F(ImplementationTest, ByDefaultTheWholeLibraryAndTheEngine) {
  folder_.Write("a.so", "bytes");
  folder_.Write("b.so", "bytes");
  folder_.Write("c.so", "other bytes");
  const Implementation a(Side("a.so", "e"));
  EXPECT_EQ(a.Of("add"), Implementation(Side("b.so", "e")).Of("add"));
  EXPECT_NE(a.Of("add"), Implementation(Side("c.so", "e")).Of("add"));
  EXPECT_NE(a.Of("add"), Implementation(Side("a.so", "f")).Of("add"));
}

TEST_F(ImplementationTest, WhatDecidesTheResultIsPartOfIt) {
  folder_.Write("a.so", "bytes");
  const std::string plain = Implementation(Side("a.so", "e")).Of("add");
  SideDeclaration side = Side("a.so", "e");
  side.config = {{"dtype", "bf16"}};
  EXPECT_NE(Implementation(side).Of("add"), plain);
  side = Side("a.so", "e");
  side.env["TF32"] = "1";
  EXPECT_NE(Implementation(side).Of("add"), plain);
  side = Side("a.so", "e");
  side.backend = "cuda";
  EXPECT_NE(Implementation(side).Of("add"), plain);
  side = Side("a.so", "e");
  side.library_path = {"/opt/other"};
  EXPECT_NE(Implementation(side).Of("add"), plain);
}

TEST_F(ImplementationTest, TheBuildProductNamesOps) {
  folder_.Write("a.so", "one");
  folder_.Write("b.so", "two");
  folder_.Write("a.so.impl.json", R"({"ops": {"add": "111", "mul": "222"}})");
  folder_.Write("b.so.impl.json", R"({"ops": {"add": "111", "mul": "333"}})");
  const Implementation a(Side("a.so", "e")), b(Side("b.so", "f"));
  EXPECT_EQ(a.Of("add"), b.Of("add"));
  EXPECT_NE(a.Of("mul"), b.Of("mul"));
  EXPECT_NE(a.Of("unlisted"), b.Of("unlisted"));
}

TEST_F(ImplementationTest, FilesThatTheLibraryLoadsArePartOfIt) {
  folder_.Write("a.so", "one");
  const std::string alone = Implementation(Side("a.so", "e")).Of("add");
  folder_.Write("a.so.impl.json", R"({"ops": {"mul": "222"}, "files": ["deps/libx.so"]})");
  folder_.Write("deps/libx.so", "old");
  const LibraryHashes old = HashLibrary(folder_.Path("a.so"));
  EXPECT_EQ(
      old.files,
      (std::map<std::string, std::string>{{"libx.so", HashFile(folder_.Path("deps/libx.so"))}}));
  const Implementation before(Side("a.so", "e"));
  EXPECT_NE(before.Of("add"), alone);
  folder_.Write("deps/libx.so", "new");
  EXPECT_NE(HashLibrary(folder_.Path("a.so")), old);
  EXPECT_NE(Implementation(Side("a.so", "e")).Of("add"), before.Of("add"));
  EXPECT_EQ(Implementation(Side("a.so", "e")).Of("mul"), before.Of("mul"));
}

TEST_F(ImplementationTest, AFileIsKnownByItsNameAndBytes) {
  folder_.Write("a.so", "one");
  folder_.Write("b.so", "one");
  folder_.Write("a.so.impl.json",
                nlohmann::json{{"files", {folder_.Write("x/lib.so", "bytes")}}}.dump());
  folder_.Write("b.so.impl.json", R"({"files": ["y/lib.so"]})");
  folder_.Write("y/lib.so", "bytes");
  EXPECT_EQ(Implementation(Side("a.so", "e")).Of("add"),
            Implementation(Side("b.so", "e")).Of("add"));
}

TEST_F(ImplementationTest, AFileThatIsNotThereIsAnErrorAndSoAreTwoOfOneName) {
  folder_.Write("a.so", "one");
  folder_.Write("a.so.impl.json", R"({"files": ["gone.so"]})");
  EXPECT_THAT(ErrorOf([&] { HashLibrary(folder_.Path("a.so")); }), testing::HasSubstr("gone.so"));
  folder_.Write("a.so.impl.json", R"({"files": ["x/lib.so", "y/lib.so"]})");
  folder_.Write("x/lib.so", "1");
  folder_.Write("y/lib.so", "2");
  EXPECT_THAT(ErrorOf([&] { HashLibrary(folder_.Path("a.so")); }),
              testing::HasSubstr("got \"y/lib.so\", expected one file of this name"));
}

TEST_F(ImplementationTest, ABadBuildProductIsAnError) {
  folder_.Write("a.so", "one");
  folder_.Write("a.so.impl.json", R"({"opps": {}, "ops": {"add": 3}})");
  const std::string error = ErrorOf([&] { Implementation{Side("a.so", "e")}; });
  EXPECT_THAT(error, testing::HasSubstr("got \"opps\", expected \"ops\""));
  EXPECT_THAT(error, testing::HasSubstr("/ops/add: wrong value: got 3"));
}

}  // namespace
}  // namespace parity
