#include "gtest_parity/replay/recording.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

namespace parity {
namespace {

TEST(RecordingMemory, WholeChunksForEachRank) {
  const std::pair<std::uint64_t, std::size_t> cases[] = {
      {0, 1}, {1, 1}, {kChunkBytes, 1}, {kChunkBytes + 1, 2}, {4 * kChunkBytes, 4}};
  for (const auto& [budget, chunks] : cases) {
    const RecordingMemory memory(3, budget);
    ASSERT_EQ(memory.chunks().size(), 3u);
    std::set<int> fds;
    for (const std::vector<int>& rank : memory.chunks()) {
      EXPECT_EQ(rank.size(), chunks) << budget;
      for (const int fd : rank) EXPECT_TRUE(fds.insert(fd).second);
    }
  }
}

TEST(RecordingMemory, SealWantsNoWriterOnAnyRank) {
  RecordingMemory memory(2, 1);
  Image image;
  {
    PageStore writer(memory.chunks()[1], true);
    image = *writer.Keep("evidence", 8, {});
    EXPECT_THROW(memory.Seal(), std::system_error);
  }
  memory.Seal();
  for (const std::vector<int>& rank : memory.chunks()) {
    EXPECT_THROW(PageStore(rank, true), std::system_error);
  }
  char bytes[9] = {};
  PageStore(memory.chunks()[1], false).Read(image, bytes);
  EXPECT_STREQ(bytes, "evidence");
}

// As the memory of a host does that was reaped while somebody looked at it.
TEST(RecordingMemory, SealWaitsForAWriterThatIsGoing) {
  RecordingMemory memory(1, 1, SpillOptions{::testing::TempDir(), kPageBytes});
  std::optional<PageStore> writer(std::in_place, memory.chunks()[0], true);
  const std::jthread leaves([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    writer.reset();
  });
  EXPECT_NO_THROW(memory.Seal());
}

TEST(RecordingMemory, SpillsWhatTheBudgetHasNoRoomFor) {
  const SpillOptions spill = {::testing::TempDir(), 3 * kPageBytes};
  RecordingMemory memory(2, kPageBytes, spill);
  std::vector<Image> images;
  const std::vector<char> page(kPageBytes, 'p');
  {
    PageStore writer(memory.chunks()[1], true);
    for (int i = 0; i < 4; ++i) images.push_back(*writer.Keep(page.data(), page.size(), {}));
    EXPECT_FALSE(writer.Keep(page.data(), page.size(), {}).has_value());
    EXPECT_THROW(memory.Seal(), std::system_error);
  }
  EXPECT_LT(images[0].pages[0], FirstSpilledPage(kPageBytes));
  EXPECT_EQ(images[1].pages[0], FirstSpilledPage(kPageBytes));
  memory.Seal();
  for (const std::vector<int>& rank : memory.chunks()) {
    ASSERT_EQ(rank.size(), 2u);
    for (const int chunk : rank) EXPECT_THROW(PageStore({chunk}, true), std::system_error);
  }
  std::vector<char> read(kPageBytes);
  PageStore(memory.chunks()[1], false).Read(images[3], read.data());
  EXPECT_EQ(read, page);
}

TEST(RecordingMemory, FolderThatCannotBeSpilledToIsAnError) {
  EXPECT_THROW(RecordingMemory(1, 1, SpillOptions{"/nonexistent", 1}), std::system_error);
}

TEST(RecordRequest, AnySpanOrProgram) {
  EXPECT_FALSE(RecordRequest{}.Any());
  EXPECT_FALSE((RecordRequest{{false, false}, {{"decode", false}}}.Any()));
  EXPECT_TRUE((RecordRequest{{false, true}, {}}.Any()));
  EXPECT_TRUE((RecordRequest{{}, {{"decode", true}}}.Any()));
}

}  // namespace
}  // namespace parity
