#include "suites/kv/formats/overlay_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint8_t> All(RecordBytes* bytes) {
  std::vector<std::uint8_t> out(bytes->size());
  EXPECT_EQ(bytes->Read(0, out), ReadResult::kOk);
  return out;
}

TEST(OverlayBytes, ReplacesAndCuts) {
  MemoryBytes base({1, 2, 3, 4, 5});
  const std::vector<Overwrite> overwrites = {{1, {20, 30}}, {2, {33}}};
  OverlayBytes overlay(&base, overwrites, 4);
  EXPECT_THAT(All(&overlay), ElementsAre(1, 20, 33, 4));
  std::vector<std::uint8_t> one(1);
  EXPECT_EQ(overlay.Read(4, one), ReadResult::kPastEnd);
}

TEST(OverlayBytes, GrowsByAHole) {
  MemoryBytes base({1, 2});
  const std::vector<Overwrite> overwrites = {{5, {9}}};
  OverlayBytes overlay(&base, overwrites, 7);
  EXPECT_THAT(All(&overlay), ElementsAre(1, 2, 0, 0, 0, 9, 0));
}

TEST(OverlayBytes, ReadsFarBehindItsBase) {
  MemoryBytes base({1, 2});
  const std::vector<Overwrite> overwrites = {{std::uint64_t{4} << 30, {7, 8}}};
  OverlayBytes overlay(&base, overwrites, (std::uint64_t{4} << 30) + 2);
  std::vector<std::uint8_t> out(3);
  EXPECT_EQ(overlay.Read((std::uint64_t{4} << 30) - 1, out), ReadResult::kOk);
  EXPECT_THAT(out, ElementsAre(0, 7, 8));
}

}  // namespace
}  // namespace parity::kv
