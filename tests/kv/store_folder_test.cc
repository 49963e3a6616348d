#include "suites/kv/store_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace parity::kv {
namespace {

namespace fs = std::filesystem;

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string DigestOf(const TemporaryFolder& folder, const std::string& name) {
  return StateOf(folder.path()).at(name).digest;
}

TEST(StoreFolder, AHoleIsAsManyZeroes) {
  const TemporaryFolder folder("store_folder");
  const std::string zeroes(300'000, '\0');
  Write(folder.Path("zeroes"), "head" + zeroes + "tail");
  Write(folder.Path("hole"), "head");
  fs::resize_file(folder.Path("hole"), 4 + zeroes.size());
  std::ofstream(folder.Path("hole"), std::ios::binary | std::ios::app) << "tail";
  EXPECT_EQ(DigestOf(folder, "hole"), DigestOf(folder, "zeroes"));
}

TEST(StoreFolder, EveryByteAndItsPlaceCount) {
  const TemporaryFolder folder("store_folder");
  const std::string bytes(200'000, 'x');
  Write(folder.Path("as_it_was"), bytes);
  for (const std::size_t at : {std::size_t{0}, std::size_t{65'536}, bytes.size() - 1}) {
    std::string other = bytes;
    other[at] = 'y';
    Write(folder.Path("other"), other);
    EXPECT_NE(DigestOf(folder, "other"), DigestOf(folder, "as_it_was")) << at;
  }
  // The same block, one block further on.
  Write(folder.Path("early"), std::string(65'536, 'x') + std::string(65'536, '\0'));
  Write(folder.Path("late"), std::string(65'536, '\0') + std::string(65'536, 'x'));
  EXPECT_NE(DigestOf(folder, "early"), DigestOf(folder, "late"));
}

TEST(StoreFolder, WhatIsNoFileHasNoDigest) {
  const TemporaryFolder folder("store_folder");
  fs::create_directory(folder.Path("folder"));
  fs::create_symlink("nowhere", folder.Path("link"));
  const FolderState state = StateOf(folder.path());
  EXPECT_EQ(state.at("folder").digest, "");
  EXPECT_EQ(state.at("link").digest, "");
  EXPECT_TRUE(StateOf(folder.Path("not_there")).empty());
}

}  // namespace
}  // namespace parity::kv
