#include "gtest_parity/engine/collective.h"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

namespace parity {
namespace {

// Runs `work(rank, its table)` on a thread per rank; returns when all are done.
void OnRanks(ThreadCollective& all, std::uint32_t ranks,
             const std::function<void(std::uint32_t, const parity_collective&)>& work) {
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] { work(rank, *all.ForRank(rank)); });
  }
  for (std::thread& thread : threads) thread.join();
}

class Collective : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::uint32_t ranks() const { return GetParam(); }
  void Run(const std::function<void(std::uint32_t, const parity_collective&)>& work) {
    OnRanks(all_, ranks(), work);
  }

 private:
  ThreadCollective all_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Ranks, Collective, testing::Range(1u, 5u));

TEST_P(Collective, TableSaysWhoItIs) {
  Run([&](std::uint32_t rank, const parity_collective& table) {
    EXPECT_EQ(table.struct_size, sizeof(parity_collective));
    EXPECT_EQ(table.rank, rank);
    EXPECT_EQ(table.rank_count, ranks());
  });
}

TEST_P(Collective, BarrierHoldsUntilAllAreThere) {
  constexpr int kRounds = 200;
  std::atomic<int> arrived = 0;
  Run([&](std::uint32_t, const parity_collective& table) {
    for (int round = 1; round <= kRounds; ++round) {
      ++arrived;
      ASSERT_EQ(table.barrier(table.context), PARITY_OK);
      EXPECT_GE(arrived.load(), round * static_cast<int>(ranks()));
    }
  });
  EXPECT_EQ(arrived, kRounds * static_cast<int>(ranks()));
}

// A value whose sum depends on the order: large ones that cancel beside a small one.
template <typename T>
T Term(std::uint32_t rank, std::uint64_t i) {
  constexpr std::array<double, 4> kTerms = {1e16, 1.25, -1e16, 3.0};
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(kTerms[(rank + i) % 4] + static_cast<double>(i) / 3);
  } else {
    return static_cast<T>(1000 * rank + i) - 7;
  }
}

template <typename T>
std::vector<T> TermsOf(std::uint32_t rank, std::uint64_t elements) {
  std::vector<T> terms(elements);
  for (std::uint64_t i = 0; i < elements; ++i) terms[i] = Term<T>(rank, i);
  return terms;
}

template <typename T>
std::vector<T> SumInRankOrder(std::uint32_t ranks, std::uint64_t elements) {
  std::vector<T> sum = TermsOf<T>(0, elements);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    for (std::uint64_t i = 0; i < elements; ++i) sum[i] += Term<T>(rank, i);
  }
  return sum;
}

template <typename T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <typename T>
void CheckSums(const parity_collective& table, parity_dtype dtype) {
  constexpr std::uint64_t kElements = 33;
  const std::uint32_t ranks = table.rank_count;
  std::vector<T> data = TermsOf<T>(table.rank, kElements);
  ASSERT_EQ(table.all_reduce_sum(table.context, dtype, data.data(), kElements), PARITY_OK);
  EXPECT_TRUE(SameBits(data, SumInRankOrder<T>(ranks, kElements))) << "rank " << table.rank;

  const std::vector<T> sent = TermsOf<T>(table.rank, kElements * ranks);
  std::vector<T> received(kElements);
  ASSERT_EQ(table.reduce_scatter_sum(table.context, dtype, sent.data(), received.data(), kElements),
            PARITY_OK);
  const std::vector<T> whole = SumInRankOrder<T>(ranks, kElements * ranks);
  const auto mine = whole.begin() + static_cast<std::ptrdiff_t>(table.rank * kElements);
  EXPECT_TRUE(SameBits(received, std::vector<T>(mine, mine + kElements))) << table.rank;
}

TEST_P(Collective, SumsAreTakenInRankOrderBitForBit) {
  Run([](std::uint32_t, const parity_collective& table) {
    CheckSums<double>(table, PARITY_F64);
    CheckSums<float>(table, PARITY_F32);
    CheckSums<std::int32_t>(table, PARITY_I32);
    CheckSums<std::int64_t>(table, PARITY_I64);
  });
}

TEST_P(Collective, SumsOfOtherTypesAreInvalidOnEveryRank) {
  Run([](std::uint32_t, const parity_collective& table) {
    std::array<std::uint16_t, 4> data = {1, 2, 3, 4}, out = {};
    for (const parity_dtype dtype : {PARITY_F16, PARITY_BF16, PARITY_U8}) {
      EXPECT_EQ(table.all_reduce_sum(table.context, dtype, data.data(), 1), PARITY_INVALID);
      EXPECT_EQ(table.reduce_scatter_sum(table.context, dtype, data.data(), out.data(), 1),
                PARITY_INVALID);
    }
    EXPECT_EQ(data, (std::array<std::uint16_t, 4>{1, 2, 3, 4}));
    EXPECT_EQ(table.barrier(table.context), PARITY_OK);
  });
}

TEST_P(Collective, SumOfNothing) {
  Run([](std::uint32_t, const parity_collective& table) {
    EXPECT_EQ(table.all_reduce_sum(table.context, PARITY_F32, nullptr, 0), PARITY_OK);
  });
}

TEST_P(Collective, AllGather) {
  Run([&](std::uint32_t rank, const parity_collective& table) {
    const std::array<std::uint32_t, 2> sent = {rank, rank * 10};
    std::vector<std::uint32_t> received(2 * ranks(), 999);
    ASSERT_EQ(table.all_gather(table.context, sent.data(), received.data(), sizeof(sent)),
              PARITY_OK);
    for (std::uint32_t from = 0; from < ranks(); ++from) {
      EXPECT_EQ(received[2 * from], from);
      EXPECT_EQ(received[2 * from + 1], from * 10);
    }
  });
}

TEST_P(Collective, AllToAll) {
  Run([&](std::uint32_t rank, const parity_collective& table) {
    std::vector<std::uint32_t> sent, received(ranks(), 999);
    for (std::uint32_t to = 0; to < ranks(); ++to) sent.push_back(100 * rank + to);
    ASSERT_EQ(table.all_to_all(table.context, sent.data(), received.data(), sizeof(std::uint32_t)),
              PARITY_OK);
    for (std::uint32_t from = 0; from < ranks(); ++from) {
      EXPECT_EQ(received[from], 100 * from + rank);
    }
  });
}

TEST_P(Collective, BroadcastFromEveryRoot) {
  Run([&](std::uint32_t rank, const parity_collective& table) {
    for (std::uint32_t root = 0; root < ranks(); ++root) {
      std::uint64_t data = rank + 1;
      ASSERT_EQ(table.broadcast(table.context, root, &data, sizeof(data)), PARITY_OK);
      EXPECT_EQ(data, root + 1);
    }
  });
}

TEST_P(Collective, BroadcastFromNobodyIsInvalid) {
  Run([&](std::uint32_t, const parity_collective& table) {
    std::uint64_t data = 1;
    EXPECT_EQ(table.broadcast(table.context, ranks(), &data, sizeof(data)), PARITY_INVALID);
  });
}

// Every function, called so that it waits for a rank that never comes.
struct Waiting {
  const char* name;
  parity_status (*call)(const parity_collective& table);
};

const Waiting kWaiting[] = {
    {"barrier", [](const parity_collective& t) { return t.barrier(t.context); }},
    {"all_reduce_sum",
     [](const parity_collective& t) {
       float data[2] = {};
       return t.all_reduce_sum(t.context, PARITY_F32, data, 2);
     }},
    {"all_gather",
     [](const parity_collective& t) {
       float sent = 1, received[4] = {};
       return t.all_gather(t.context, &sent, received, sizeof(sent));
     }},
    {"reduce_scatter_sum",
     [](const parity_collective& t) {
       float sent[4] = {}, received = 0;
       return t.reduce_scatter_sum(t.context, PARITY_F32, sent, &received, 1);
     }},
    {"all_to_all",
     [](const parity_collective& t) {
       float sent[4] = {}, received[4] = {};
       return t.all_to_all(t.context, sent, received, sizeof(float));
     }},
    {"broadcast",
     [](const parity_collective& t) {
       float data = 0;
       return t.broadcast(t.context, 0, &data, sizeof(data));
     }},
};

class CollectiveCancel : public testing::TestWithParam<Waiting> {};

INSTANTIATE_TEST_SUITE_P(Functions, CollectiveCancel, testing::ValuesIn(kWaiting),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(CollectiveCancel, WakesThoseWhoWaitAndRenewStartsAfresh) {
  constexpr std::uint32_t kRanks = 3;
  std::array<std::atomic<std::uint32_t>, kRanks> words = {};
  ThreadCollective all(kRanks, {&words[0], &words[1], &words[2]});
  for (int round = 0; round < 3; ++round) {
    std::thread canceller([&] {
      while (words[0] == 0 || words[1] == 0) std::this_thread::yield();
      EXPECT_EQ(words[2], 0u);
      all.Cancel();
    });
    OnRanks(all, 2, [&](std::uint32_t, const parity_collective& table) {
      EXPECT_EQ(GetParam().call(table), PARITY_CANCELLED);
      // To come, too.
      EXPECT_EQ(GetParam().call(table), PARITY_CANCELLED);
    });
    canceller.join();
    EXPECT_EQ(words[0] + words[1] + words[2], 0u);
    all.Renew();
    OnRanks(all, kRanks, [&](std::uint32_t, const parity_collective& table) {
      EXPECT_EQ(GetParam().call(table), PARITY_OK);
    });
    EXPECT_EQ(words[0] + words[1] + words[2], 0u);
  }
}

// Whatever mode a rank computes in, the sum is one.
TEST(ThreadCollective, SumsInTheDefaultFloatingPointMode) {
  ThreadCollective all(2);
  OnRanks(all, 2, [](std::uint32_t rank, const parity_collective& table) {
    if (rank == 1) std::fesetround(FE_UPWARD);
    float sum = rank == 0 ? 1.0F : 0x1p-30F;
    ASSERT_EQ(table.all_reduce_sum(table.context, PARITY_F32, &sum, 1), PARITY_OK);
    EXPECT_EQ(sum, 1.0F);
    EXPECT_EQ(std::fegetround(), rank == 1 ? FE_UPWARD : FE_TONEAREST);
  });
}

TEST(ThreadCollective, ManyRoundsOfDifferentCalls) {
  constexpr std::uint32_t kRanks = 4;
  ThreadCollective all(kRanks);
  OnRanks(all, kRanks, [](std::uint32_t rank, const parity_collective& table) {
    for (std::uint32_t round = 0; round < 200; ++round) {
      std::int64_t sum = rank + round;
      ASSERT_EQ(table.all_reduce_sum(table.context, PARITY_I64, &sum, 1), PARITY_OK);
      ASSERT_EQ(sum, 6 + 4 * round);
      std::uint32_t data = rank == round % kRanks ? round : 0;
      ASSERT_EQ(table.broadcast(table.context, round % kRanks, &data, sizeof(data)), PARITY_OK);
      ASSERT_EQ(data, round);
    }
  });
}

}  // namespace
}  // namespace parity
