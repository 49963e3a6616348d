#include "gtest_parity/engine/meeting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "gtest_parity/engine/collective.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What one rank does: returns what its calls came to.
using Doing = parity_status (*)(const parity_collective& table);

parity_status Barrier(const parity_collective& t) { return t.barrier(t.context); }
template <parity_dtype kDType, std::uint64_t kElements>
parity_status Reduce(const parity_collective& t) {
  double data[8] = {};
  return t.all_reduce_sum(t.context, kDType, data, kElements);
}
template <std::uint64_t kBytes>
parity_status Gather(const parity_collective& t) {
  char sent[8] = {}, received[8 * 4] = {};
  return t.all_gather(t.context, sent, received, kBytes);
}
template <std::uint32_t kRoot>
parity_status Broadcast(const parity_collective& t) {
  char data[8] = {};
  return t.broadcast(t.context, kRoot, data, sizeof(data));
}
// Does not call anything.
constexpr Doing kLeaves = nullptr;

struct Case {
  const char* name;
  std::vector<Doing> ranks;
  const char* words;
  std::vector<int> to_blame;
};

void PrintTo(const Case& which, std::ostream* out) { *out << which.name; }

class MeetingDisagreement : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Calls, MeetingDisagreement,
    testing::Values(
        Case{"functions",
             {Reduce<PARITY_F32, 8>, Barrier},
             "rank 0 called all_reduce_sum of 8 f32, rank 1 called barrier",
             {0, 1}},
        Case{"sizes",
             {Reduce<PARITY_F32, 8>, Reduce<PARITY_F32, 4>},
             "rank 0 called all_reduce_sum of 8 f32, rank 1 called all_reduce_sum of 4 f32",
             {0, 1}},
        Case{"dtypes",
             {Reduce<PARITY_F32, 8>, Reduce<PARITY_F64, 8>},
             "rank 0 called all_reduce_sum of 8 f32, rank 1 called all_reduce_sum of 8 f64",
             {0, 1}},
        Case{"a_dtype_without_sums",
             {Reduce<PARITY_F32, 8>, Reduce<PARITY_F16, 8>},
             "rank 1 called all_reduce_sum of 8 f16",
             {0, 1}},
        Case{"roots",
             {Broadcast<0>, Broadcast<1>},
             "rank 0 called broadcast of 8 bytes from rank 0, rank 1 called broadcast of 8 bytes "
             "from rank 1",
             {0, 1}},
        Case{"bytes",
             {Gather<8>, Gather<4>},
             "rank 0 called all_gather of 8 bytes, rank 1 called all_gather of 4 bytes",
             {0, 1}},
        Case{"one_of_three",
             {Barrier, Gather<8>, Barrier},
             "ranks 0 2 called barrier, rank 1 called all_gather of 8 bytes",
             {1}},
        Case{"three_ways",
             {Barrier, Gather<8>, Gather<4>},
             "rank 0 called barrier, rank 1 called all_gather of 8 bytes, rank 2 called all_gather "
             "of 4 bytes",
             {0, 1, 2}},
        Case{"one_of_two_returns",
             {Reduce<PARITY_F32, 8>, kLeaves},
             "rank 0 called all_reduce_sum of 8 f32, rank 1 returned without it",
             {1}},
        Case{"most_return",
             {Barrier, kLeaves, kLeaves},
             "rank 0 called barrier, ranks 1 2 returned without it",
             {0}}),
    [](const auto& info) { return std::string(info.param.name); });

// Runs each rank on a thread of its own, after a first collective that they agree on.
std::vector<parity_status> RunRanks(ThreadCollective& all, const std::vector<Doing>& ranks) {
  std::vector<parity_status> statuses(ranks.size(), PARITY_OK);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    threads.emplace_back([&, rank] {
      EXPECT_EQ(Barrier(*all.ForRank(rank)), PARITY_OK);
      if (ranks[rank] != kLeaves) statuses[rank] = ranks[rank](*all.ForRank(rank));
      all.meeting().Leave(rank);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return statuses;
}

TEST_P(MeetingDisagreement, IsToldAndEndsTheCalls) {
  const std::vector<Doing>& ranks = GetParam().ranks;
  ThreadCollective all(static_cast<std::uint32_t>(ranks.size()));
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::vector<parity_status> statuses = RunRanks(all, ranks);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      EXPECT_EQ(statuses[rank], ranks[rank] == kLeaves ? PARITY_OK : PARITY_INVALID);
    }
    const std::optional<Disagreement> found = all.meeting().disagreement();
    ASSERT_TRUE(found);
    EXPECT_THAT(found->words, HasSubstr(GetParam().words));
    EXPECT_EQ(found->ranks, GetParam().to_blame);
    all.Renew();
    EXPECT_FALSE(all.meeting().disagreement());
  }
}

TEST(Meeting, AgreementAndLeavingAfterwardsIsNone) {
  ThreadCollective all(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_THAT(RunRanks(all, {Barrier, Barrier, Barrier}),
                ElementsAre(PARITY_OK, PARITY_OK, PARITY_OK));
    EXPECT_FALSE(all.meeting().disagreement());
    all.Renew();
  }
}

TEST(Meeting, CancelIsNoDisagreement) {
  ThreadCollective all(2);
  all.Cancel();
  EXPECT_EQ(Barrier(*all.ForRank(0)), PARITY_CANCELLED);
  EXPECT_FALSE(all.meeting().disagreement());
}

// More than a desk holds, and not a multiple of it.
TEST(Meeting, CollectivesOfManyPieces) {
  constexpr std::uint32_t kRanks = 3;
  constexpr std::uint64_t kElements = Meeting::kDeskBytes / 2 + 77;
  ThreadCollective all(kRanks);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    threads.emplace_back([&, rank] {
      const parity_collective& table = *all.ForRank(rank);
      std::vector<std::int32_t> sent(kElements * kRanks), received(kElements * kRanks);
      for (std::size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<std::int32_t>(i * kRanks + rank);
      }
      const std::uint64_t bytes = kElements * sizeof(std::int32_t);
      ASSERT_EQ(table.all_to_all(table.context, sent.data(), received.data(), bytes), PARITY_OK);
      for (std::uint64_t i = 0; i < received.size(); ++i) {
        const std::uint64_t from = i / kElements, at = rank * kElements + i % kElements;
        ASSERT_EQ(received[i], static_cast<std::int32_t>(at * kRanks + from));
      }
      ASSERT_EQ(table.all_gather(table.context, sent.data(), received.data(), bytes), PARITY_OK);
      for (std::uint64_t i = 0; i < received.size(); ++i) {
        ASSERT_EQ(received[i], static_cast<std::int32_t>(i % kElements * kRanks + i / kElements));
      }
      ASSERT_EQ(table.reduce_scatter_sum(table.context, PARITY_I32, sent.data(), received.data(),
                                         kElements),
                PARITY_OK);
      for (std::uint64_t i = 0; i < kElements; ++i) {
        ASSERT_EQ(received[i], static_cast<std::int32_t>((rank * kElements + i) * 9 + 3));
      }
      ASSERT_EQ(table.all_reduce_sum(table.context, PARITY_I32, sent.data(), sent.size()),
                PARITY_OK);
      for (std::uint64_t i = 0; i < sent.size(); ++i) {
        ASSERT_EQ(sent[i], static_cast<std::int32_t>(i * 9 + 3));
      }
      if (rank != 1) sent.assign(sent.size(), 0);
      ASSERT_EQ(table.broadcast(table.context, 1, sent.data(), bytes), PARITY_OK);
      for (std::uint64_t i = 0; i < kElements; ++i) {
        ASSERT_EQ(sent[i], static_cast<std::int32_t>(i * 9 + 3));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Ranks that are processes, on memory that the parent shares with them.
class Processes {
 public:
  explicit Processes(std::uint32_t ranks)
      : memory_(mmap(nullptr, Meeting::BytesFor(ranks), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        meeting_(memory_, ranks) {}
  ~Processes() {
    for (const pid_t pid : pids_) kill(pid, SIGKILL);
    for (const pid_t pid : pids_) waitpid(pid, nullptr, 0);
    munmap(memory_, Meeting::BytesFor(meeting_.rank_count()));
  }
  Meeting& meeting() { return meeting_; }
  void Start(std::uint32_t rank, const std::function<int(const parity_collective&)>& work) {
    const pid_t pid = fork();
    if (pid == 0) {
      const Collective end(meeting_, rank, nullptr);
      _exit(work(*end.table()));
    }
    pids_.push_back(pid);
  }
  int ExitOf(std::size_t which) {
    int status = 0;
    waitpid(pids_[which], &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void Kill(std::size_t which) {
    kill(pids_[which], SIGKILL);
    waitpid(pids_[which], nullptr, 0);
  }

 private:
  void* memory_;
  Meeting meeting_;
  std::vector<pid_t> pids_;
};

// Whoever dies, wherever it is: nothing keeps the others from being told.
TEST(Meeting, SurvivesARankThatIsKilledAnywhere) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Processes processes(3);
    const auto work = [](const parity_collective& table) {
      for (;;) {
        std::int64_t sum = 1;
        const parity_status status = table.all_reduce_sum(table.context, PARITY_I64, &sum, 1);
        if (status != PARITY_OK) return static_cast<int>(status);
        if (sum != 3) return 99;
      }
    };
    for (std::uint32_t rank = 0; rank < 3; ++rank) processes.Start(rank, work);
    std::this_thread::sleep_for(std::chrono::microseconds(500 * repeat));
    processes.Kill(1);
    processes.meeting().Cancel();
    EXPECT_EQ(processes.ExitOf(0), PARITY_CANCELLED);
    EXPECT_EQ(processes.ExitOf(2), PARITY_CANCELLED);
  }
}

}  // namespace
}  // namespace parity
