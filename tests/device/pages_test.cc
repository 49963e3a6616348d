#include "gtest_parity/device/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <stdexcept>

namespace parity {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::ElementsAre;

class Pages : public testing::Test {
 protected:
  // Chunks cost memory only where they are written.
  std::vector<int> Chunks(int count) {
    while (static_cast<int>(fds_.size()) < count) {
      fds_.push_back(CreateSharedMemory("parity_test", kChunkBytes));
    }
    std::vector<int> fds;
    for (int i = 0; i < count; ++i) fds.push_back(fds_[static_cast<std::size_t>(i)].get());
    return fds;
  }

 private:
  std::vector<FileDescriptor> fds_;
};

Bytes Pattern(std::uint64_t bytes, std::uint32_t seed) {
  Bytes data(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    data[i] = static_cast<std::uint8_t>((i * 2654435761u + seed) >> 16);
  }
  return data;
}

Image Kept(PageStore& store, const Bytes& data, const Image& previous = {}) {
  std::optional<Image> image = store.Keep(data.data(), data.size(), previous);
  EXPECT_TRUE(image.has_value());
  return image.value_or(Image{});
}

Bytes ReadBack(const PageStore& store, const Image& image) {
  Bytes data(image.bytes);
  store.Read(image, data.data());
  return data;
}

TEST_F(Pages, EverySizeComesBack) {
  PageStore store(Chunks(1), true);
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{65},
        kPageBytes - 1, kPageBytes, kPageBytes + 1, 3 * kPageBytes, 3 * kPageBytes + 100}) {
    const Bytes data = Pattern(bytes, static_cast<std::uint32_t>(bytes));
    const Image image = Kept(store, data);
    EXPECT_EQ(image.bytes, bytes);
    EXPECT_EQ(image.pages.size(), (bytes + kPageBytes - 1) / kPageBytes);
    EXPECT_EQ(ReadBack(store, image), data) << bytes;
  }
}

TEST_F(Pages, TailTakesItsOwnBytesRoundedUp) {
  PageStore store(Chunks(1), true);
  Kept(store, Pattern(kPageBytes + 65, 1));
  EXPECT_EQ(store.used_bytes(), kPageBytes + 128);
}

TEST_F(Pages, UnchangedPagesAreShared) {
  PageStore store(Chunks(1), true);
  Bytes data = Pattern(3 * kPageBytes + 10, 1);
  const Image first = Kept(store, data);
  const Bytes before = data;
  const std::uint64_t used = store.used_bytes();
  const Image same = Kept(store, data, first);
  EXPECT_EQ(same.pages, first.pages);
  EXPECT_EQ(store.used_bytes(), used);
  data[kPageBytes] ^= 1;
  const Image second = Kept(store, data, first);
  EXPECT_EQ(store.used_bytes(), used + kPageBytes);
  EXPECT_THAT(second.pages, ElementsAre(first.pages[0], used, first.pages[2], first.pages[3]));
  EXPECT_EQ(ReadBack(store, first), before);
  EXPECT_EQ(ReadBack(store, second), data);
}

TEST_F(Pages, ATailSharesWithWhatIsAtLeastAsLong) {
  PageStore store(Chunks(1), true);
  const Bytes data = Pattern(2 * kPageBytes, 1);
  const Bytes shorter(data.begin(), data.begin() + kPageBytes + 100);
  const Image whole = Kept(store, data);
  const Image part = Kept(store, shorter, whole);
  EXPECT_EQ(part.pages, whole.pages);
  EXPECT_EQ(ReadBack(store, part), shorter);
  // The other way round its tail is too short to stand for a whole page.
  const Image again = Kept(store, data, part);
  EXPECT_EQ(again.pages[0], whole.pages[0]);
  EXPECT_NE(again.pages[1], whole.pages[1]);
  EXPECT_EQ(ReadBack(store, again), data);
}

TEST_F(Pages, GrowthBeyondThePreviousImage) {
  PageStore store(Chunks(1), true);
  const Bytes data = Pattern(3 * kPageBytes, 1);
  const Image small = Kept(store, Bytes(data.begin(), data.begin() + kPageBytes));
  const Image large = Kept(store, data, small);
  EXPECT_EQ(large.pages[0], small.pages[0]);
  EXPECT_EQ(store.used_bytes(), 3 * kPageBytes);
  EXPECT_EQ(ReadBack(store, large), data);
}

TEST_F(Pages, AnotherProcessReadsWhatOneWrote) {
  const std::vector<int> fds = Chunks(2);
  PageStore writer(fds, true);
  const PageStore reader(fds, false);
  const Bytes data = Pattern(kPageBytes + 5, 9);
  EXPECT_EQ(ReadBack(reader, Kept(writer, data)), data);
}

TEST_F(Pages, NoChunksHoldNothing) {
  PageStore store({}, true);
  EXPECT_FALSE(store.Keep("x", 1, {}).has_value());
  const std::optional<Image> empty = store.Keep("x", 0, {});
  ASSERT_TRUE(empty.has_value());
  EXPECT_TRUE(empty->pages.empty());
}

// Zeros that cost no memory until they are written.
class Zeros {
 public:
  explicit Zeros(std::uint64_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Zeros() { munmap(data_, bytes_); }
  const void* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void* data_;
  std::uint64_t bytes_;
};

TEST_F(Pages, UsedUpGivesBackWhatItTookAndGoesOn) {
  PageStore store(Chunks(1), true);
  const Bytes data = Pattern(kPageBytes, 3);
  const Image first = Kept(store, data);
  const std::uint64_t used = store.used_bytes();
  const Zeros too_large(kChunkBytes);  // one page more than what is left
  EXPECT_FALSE(store.Keep(too_large.data(), too_large.bytes(), {}).has_value());
  EXPECT_EQ(store.used_bytes(), used);
  EXPECT_EQ(ReadBack(store, first), data);
  // What is left can still be had, to the last page.
  const Image rest = Kept(store, Pattern(2 * kPageBytes, 4));
  EXPECT_EQ(ReadBack(store, rest), Pattern(2 * kPageBytes, 4));
}

TEST_F(Pages, GoesOnInTheNextChunk) {
  const std::vector<int> fds = Chunks(2);
  PageStore store(fds, true);
  Kept(store, Pattern(64, 1));
  const Zeros most(kChunkBytes - 2 * kPageBytes);
  ASSERT_TRUE(store.Keep(most.data(), most.bytes(), {}).has_value());
  const Bytes data = Pattern(3 * kPageBytes, 7);
  const Image image = Kept(store, data);
  // No page lies across the chunks' seam.
  EXPECT_LT(image.pages[0], kChunkBytes);
  EXPECT_THAT(image.pages, ElementsAre(64 + most.bytes(), kChunkBytes, kChunkBytes + kPageBytes));
  EXPECT_EQ(ReadBack(PageStore(fds, false), image), data);
}

TEST_F(Pages, ChunksMayBeShort) {
  const FileDescriptor first = CreateSharedMemory("parity_test", kPageBytes);
  const FileDescriptor second = CreateSharedMemory("parity_test", 2 * kPageBytes);
  PageStore store({first.get(), second.get()}, true);
  Kept(store, Pattern(64, 1));
  const Bytes data = Pattern(2 * kPageBytes, 7);
  const Image image = Kept(store, data);
  EXPECT_THAT(image.pages, ElementsAre(kChunkBytes, kChunkBytes + kPageBytes));
  EXPECT_EQ(store.used_bytes(), 64 + 2 * kPageBytes);
  EXPECT_FALSE(store.Keep(data.data(), data.size(), {}).has_value());
  EXPECT_EQ(ReadBack(store, image), data);
  Bytes out(kPageBytes);
  EXPECT_THROW(store.Read({kPageBytes, {64}}, out.data()), std::out_of_range);
}

TEST_F(Pages, ChunkThatIsEmptyOrTooLargeIsNone) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, kChunkBytes + 1}) {
    const FileDescriptor chunk = CreateSharedMemory("parity_test", bytes);
    EXPECT_THROW(PageStore({chunk.get()}, false), std::system_error) << bytes;
  }
}

struct BadImage {
  const char* name;
  Image image;
};

class BadImages : public testing::TestWithParam<BadImage> {};

TEST_P(BadImages, AreOutOfRange) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kChunkBytes);
  const PageStore store({fd.get()}, false);
  Bytes out(GetParam().image.pages.size() * kPageBytes + 8);
  EXPECT_THROW(store.Read(GetParam().image, out.data()), std::out_of_range);
}

INSTANTIATE_TEST_SUITE_P(
    Images, BadImages,
    testing::Values(BadImage{"behind_the_last_chunk", {64, {kChunkBytes}}},
                    BadImage{"over_the_end", {kPageBytes, {kChunkBytes - 64}}},
                    BadImage{"far_away", {64, {~std::uint64_t{0}}}},
                    BadImage{"far_away_by_one_page", {64, {~std::uint64_t{0} - 63}}},
                    BadImage{"pages_without_bytes", {0, {0}}},
                    BadImage{"bytes_without_pages", {64, {}}},
                    BadImage{"more_pages_than_bytes", {kPageBytes, {0, 0}}},
                    BadImage{"more_bytes_than_pages", {kPageBytes + 1, {0}}},
                    BadImage{"endless", {~std::uint64_t{0}, {0}}},
                    BadImage{"endless_without_pages", {~std::uint64_t{0}, {}}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(Pages, APreviousImageFromElsewhereIsOutOfRange) {
  PageStore store(Chunks(1), true);
  EXPECT_THROW(store.Keep("x", 1, Image{1, {kChunkBytes}}), std::out_of_range);
}

}  // namespace
}  // namespace parity
