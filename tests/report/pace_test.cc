#include "gtest_parity/report/pace.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Pace::Clock::time_point kStart{seconds(1000)};

TEST(Pace, TheFirstTimeAtOnceAndThenOnceASecond) {
  Pace pace;
  EXPECT_TRUE(pace.Due(kStart));
  pace.Done(kStart, kStart + milliseconds(1));
  EXPECT_FALSE(pace.Due(kStart + milliseconds(1000)));
  EXPECT_TRUE(pace.Due(kStart + milliseconds(1001)));
}

TEST(Pace, WhatTakesLongIsDoneLessOften) {
  Pace pace;
  pace.Done(kStart, kStart + seconds(1));
  EXPECT_FALSE(pace.Due(kStart + seconds(19)));
  EXPECT_TRUE(pace.Due(kStart + seconds(20)));
}

// Cases that take `each`, in a report that takes 20 us for each case in it. Returns how many cases
// were written, all rewrites together, and how long that took.
struct Work {
  std::uint64_t cases_written = 0;
  Pace::Clock::duration time{};
};
Work Report(std::uint64_t cases, microseconds each) {
  Work work;
  Pace pace;
  Pace::Clock::time_point now = kStart;
  for (std::uint64_t i = 1; i <= cases; ++i) {
    now += each;
    if (!pace.Due(now)) continue;
    const auto begun = now;
    now += i * microseconds(20);
    work.cases_written += i;
    work.time += now - begun;
    pace.Done(begun, now);
  }
  return work;
}

TEST(Pace, TenThousandCasesAreNotWrittenQuadratically) {
  for (const microseconds each : {microseconds(100), microseconds(1000), microseconds(20000)}) {
    const Work work = Report(10000, each);
    EXPECT_LE(work.time, 10000 * each / 19 + milliseconds(200)) << each.count();
  }
  // A hundred times the cases: about a hundred times the work, not ten thousand times.
  const Work few = Report(10000, milliseconds(1)), many = Report(1000000, milliseconds(1));
  EXPECT_LE(many.cases_written, 200 * few.cases_written);
}

}  // namespace
}  // namespace parity
