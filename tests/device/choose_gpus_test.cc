#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "gtest_parity/device/gpus.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<Gpu> kThree = {
    {"GPU-0a-1", "card", 0}, {"GPU-0B-2", "card", 1}, {"GPU-0c-3", "card", 2}};

std::vector<std::string> Uuids(const std::vector<Gpu>& gpus) {
  std::vector<std::string> uuids;
  for (const Gpu& gpu : gpus) uuids.push_back(gpu.uuid);
  return uuids;
}

std::string WordsOf(const std::vector<Gpu>& visible, std::uint32_t ranks,
                    const std::vector<std::string>& allotted) {
  try {
    ChooseGpus(visible, ranks, allotted);
  } catch (const GpuUnavailable& missing) {
    return missing.what();
  }
  return "";
}

TEST(ChooseGpus, TakesTheFirstWhereNothingIsAllotted) {
  EXPECT_THAT(Uuids(ChooseGpus(kThree, 2, {})), ElementsAre("GPU-0a-1", "GPU-0B-2"));
}

TEST(ChooseGpus, TakesWhatCTestAllots) {
  EXPECT_THAT(Uuids(ChooseGpus(kThree, 2, {"2", "0"})), ElementsAre("GPU-0c-3", "GPU-0a-1"));
  EXPECT_THAT(Uuids(ChooseGpus(kThree, 1, {"gpu_0b_2"})), ElementsAre("GPU-0B-2"));
}

TEST(ChooseGpus, TooFewForTheRanks) {
  EXPECT_EQ(WordsOf({kThree[0]}, 2, {}), "2 ranks need as many GPUs, visible: 1 (GPU-0a-1)");
  EXPECT_EQ(WordsOf(kThree, 2, {"1"}),
            "2 ranks need as many GPUs, allotted by CTest: 1 (GPU-0B-2)");
}

TEST(ChooseGpus, AllottedIsNotVisible) {
  EXPECT_EQ(WordsOf({kThree[0]}, 1, {"7"}), "CTest allotted GPU '7', visible are GPU-0a-1");
}

TEST(ChooseGpus, TwoProcessesCannotShareIt) {
  std::vector<Gpu> gpus = kThree;
  gpus[1].shared = false;
  EXPECT_EQ(WordsOf(gpus, 1, {}), "");
  EXPECT_THAT(WordsOf(gpus, 2, {}), HasSubstr("GPU-0B-2 is in an exclusive or prohibited"));
}

class Allotment : public testing::Test {
 protected:
  ~Allotment() override {
    for (const char* name : {"CTEST_RESOURCE_GROUP_COUNT", "CTEST_RESOURCE_GROUP_0_GPUS",
                             "CTEST_RESOURCE_GROUP_1_GPUS"}) {
      unsetenv(name);
    }
  }
};

TEST_F(Allotment, IsReadByGroup) {
  setenv("CTEST_RESOURCE_GROUP_COUNT", "2", 1);
  setenv("CTEST_RESOURCE_GROUP_0_GPUS", "id:3,slots:1", 1);
  setenv("CTEST_RESOURCE_GROUP_1_GPUS", "id:gpu_0b_2,slots:1", 1);
  EXPECT_THAT(AllottedGpus(), ElementsAre("3", "gpu_0b_2"));
}

TEST_F(Allotment, NothingIsAllottedOutsideCTest) {
  unsetenv("CTEST_RESOURCE_GROUP_COUNT");
  EXPECT_TRUE(AllottedGpus().empty());
}

}  // namespace
}  // namespace parity
