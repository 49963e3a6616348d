#include "suites/kv/harm.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "suites/kv/damage.h"
#include "tests/kv/formats/hex_record.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;

std::string Read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class HarmTest : public ::testing::Test {
 protected:
  HarmTest() : format_(MakeRecordFormat("kvc")) {
    const HexRecord sample = ReadHexRecord("serial_abi2");
    bytes_.assign(sample.bytes.begin(), sample.bytes.end());
    saved_.folder = std::make_unique<TemporaryFolder>("harm");
    saved_.fit = {sample.file_name};
    std::ofstream(saved_.RecordPath(), std::ios::binary) << bytes_;
    saved_.record = ReadRecordFile(*format_, saved_.RecordPath());
    lane_.index = nlohmann::json::object();
  }

  const Harm& Find(const std::vector<Harm>& harms, const std::string& slug) {
    for (const Harm& harm : harms) {
      if (harm.slug == slug) return harm;
    }
    throw std::out_of_range(slug);
  }

  std::unique_ptr<RecordFormat> format_;
  std::string bytes_;
  Saved saved_;
  Lane lane_;
};

TEST_F(HarmTest, WhatIsInTheRecordsPlaceCannotBeRead) {
  const std::vector<Harm> harms = HarmsOf(lane_, *format_, saved_);
  std::size_t unreadable = 0;
  for (const Harm& harm : harms) {
    if (harm.Group() != "unreadable") continue;
    ++unreadable;
    const TemporaryFolder folder("harm");
    const std::string path = harm.place(folder.path());
    EXPECT_EQ(fs::path(path).filename(), saved_.fit.front());
    EXPECT_TRUE(fs::exists(fs::symlink_status(path))) << harm.slug;
    EXPECT_EQ(ReadRecordFile(*format_, path).bytes, nullptr) << harm.slug;
  }
  // Root reads what nobody may.
  EXPECT_EQ(unreadable, geteuid() == 0 ? 2u : 3u);
}

TEST_F(HarmTest, BehindTheIndexTheRecordIsGoodUntilItIsMeddledWith) {
  std::set<std::string> slugs;
  for (const Harm& harm : HarmsOf(lane_, *format_, saved_)) {
    if (harm.Group() != "changed") continue;
    slugs.insert(harm.slug);
    const TemporaryFolder folder("harm");
    const std::string path = harm.place(folder.path());
    EXPECT_EQ(Read(path), bytes_);
    harm.meddle(path);
    EXPECT_FALSE(fs::is_regular_file(path) && Read(path) == bytes_) << harm.slug;
  }
  for (const char* slug : {"changed_gone", "changed_directory", "changed_flip_tokens",
                           "changed_cut_at_payload_bytes", "changed_flip_text"}) {
    EXPECT_TRUE(slugs.contains(slug)) << slug;
  }
}

TEST_F(HarmTest, WithoutARequestThatLooksThereIsNoIndexToChangeBehind) {
  lane_.index.reset();
  for (const Harm& harm : HarmsOf(lane_, *format_, saved_)) EXPECT_NE(harm.Group(), "changed");
  EXPECT_FALSE(HasDamage(lane_, "changed"));
}

TEST_F(HarmTest, EachBelongsToOneCase) {
  lane_.damaged.assign(kDamageGroups.begin(), kDamageGroups.end());
  for (const Harm& harm : HarmsOf(lane_, *format_, saved_)) {
    EXPECT_TRUE(std::count(kDamageGroups.begin(), kDamageGroups.end(), harm.Group()) == 1 &&
                HasDamage(lane_, harm.Group()))
        << harm.slug;
  }
}

TEST_F(HarmTest, APipeIsOneThatNobodyWritesTo) {
  const TemporaryFolder folder("harm");
  const std::vector<Harm> harms = HarmsOf(lane_, *format_, saved_);
  const std::string path = Find(harms, "pipe_in_its_place").place(folder.path());
  EXPECT_TRUE(fs::is_fifo(path));
  EXPECT_EQ(fs::path(path).filename(), Find(harms, "pipe_in_its_place").file_name);
}

// The highest bits of whole numbers: what comes of them cannot be what came of the record.
TEST_F(HarmTest, ABurstIsInEveryByteOfANumber) {
  const std::vector<Harm> harms = HarmsOf(lane_, *format_, saved_);
  const TemporaryFolder folder("harm");
  const std::string burst = Read(Find(harms, "flip_burst_payload_layer_data").place(folder.path()));
  ASSERT_EQ(burst.size(), bytes_.size());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < burst.size(); ++i) {
    if (burst[i] == bytes_[i]) continue;
    EXPECT_EQ(burst[i] ^ bytes_[i], 0x40);
    ++changed;
  }
  EXPECT_EQ(changed, 8u);
}

}  // namespace
}  // namespace parity::kv
