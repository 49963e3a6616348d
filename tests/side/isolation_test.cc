// What an engine can do to the harness, and what comes of it: nothing but its own verdict.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "gtest_parity/side/memory_limit.h"
#include "tests/side/counter_side.h"

namespace parity {
namespace {

using testing::ElementsAre;

constexpr char kThrough[] = "";  // it comes through, and its results are right

// Rank 1 of 2 acts in op "add", rank 0 waits for it in a collective. `in_threads`, `in_processes`:
// how the death is told there.
struct Row {
  const char* mood;
  const char* does;  // what it is, for docs/isolation.md
  const char* in_threads;
  const char* in_processes = in_threads;
  double deadline = 60;
  std::uint64_t memory_limit = 0;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.mood; }

#define AT_ADD ", b1_edge/decode#3, op layer0.add"
#define RANK_1 ", rank 1" AT_ADD
#define NO_AGREEMENT \
  "failed: the ranks do not agree on a collective: rank 0 called all_reduce_sum of 3 f32, rank 1 "

const Row kRows[] = {
    {"exit_3", "calls `exit(3)`", "left: exit status 3" RANK_1},
    {"exit_0", "calls `exit(0)`", "left: exit status 0" RANK_1},
    {"_exit_77", "calls `_exit(77)`", "left: exit status 77" RANK_1},
    {"abort", "calls `abort`", "died: signal SIGABRT" RANK_1},
    {"crash", "stores through a null pointer", "died: signal SIGSEGV" RANK_1},
    {"killed", "sends itself SIGKILL", "died: signal SIGKILL" RANK_1},
    {"overflow_stack", "overflows its stack", "died: signal SIGSEGV" RANK_1},
    {"mask_and_crash", "blocks every signal and crashes", "died: signal SIGSEGV" RANK_1},
    {.mood = "hang",
     .does = "sleeps for ever",
     .in_threads = "hung: no answer within 1.5 s" RANK_1,
     .deadline = 1.5},
    {.mood = "spin",
     .does = "computes for ever",
     .in_threads = "hung: no answer within 1.5 s" RANK_1,
     .deadline = 1.5},
    {.mood = "mask_and_hang",
     .does = "ignores every signal and sleeps",
     .in_threads = "hung: no answer within 1.5 s" RANK_1,
     .deadline = 1.5},
    {.mood = "stop",
     .does = "stops itself with SIGSTOP",
     .in_threads = "hung: no answer within 1.5 s, its process is stopped by a signal" RANK_1,
     .deadline = 1.5},
    {"skip_collective", "leaves out a collective: a deadlock",
     NO_AGREEMENT "returned without it" RANK_1},
    {"other_collective", "calls another collective than the others",
     NO_AGREEMENT "called barrier, ranks 0 1" AT_ADD},
    {"other_size", "calls a collective with another size",
     NO_AGREEMENT "called all_reduce_sum of 2 f32, ranks 0 1" AT_ADD},
    {"other_dtype", "calls a collective with another dtype",
     NO_AGREEMENT "called all_reduce_sum of 3 i32, ranks 0 1" AT_ADD},
    // The engine takes no notice of what the collective returned.
    {"other_size_unnoticed", "does so and ignores the error",
     NO_AGREEMENT "called all_reduce_sum of 2 f32, ranks 0 1, b1_edge/decode#3"},
    {.mood = "allocate",
     .does = "allocates without end",
     .in_threads = "failed: run: the counter lost count (memory_limit 256 MiB)" RANK_1,
     .memory_limit = 256 << 20},
    {.mood = "allocate_shared",
     .does = "allocates shared memory without end",
     .in_threads = "failed: used more than its memory_limit of 256 MiB" RANK_1,
     .memory_limit = 256 << 20},
    // Found when the host wants to answer: in threads, by which rank is not known.
    {"close_socket", "closes every descriptor",
     "left: exit status 124 (the host's own, its output says why), rank not known, "
     "b1_edge/decode#3",
     "left: exit status 124 (the host's own, its output says why), rank 1, b1_edge/decode#3"},
    {"close_socket_and_hang", "closes every descriptor and sleeps",
     "failed: the other end closed the socket" RANK_1},
    {"forge_answer", "writes an answer of its own on the host's socket",
     "failed: bytes that the other end's program did not send came over its socket" RANK_1},
    {"daemon_and_exit", "leaves a daemon behind and exits", "left: exit status 5" RANK_1},
    {.mood = "daemon_and_hang",
     .does = "leaves a daemon behind and sleeps",
     .in_threads = "hung: no answer within 1.5 s" RANK_1,
     .deadline = 1.5},
    {"daemon", "leaves a daemon behind", kThrough},
    {"print_much", "prints 200 MB to stderr", kThrough},
    {"close_standard_streams", "closes its standard streams", kThrough},
    {"move_away", "changes its folder and umask", kThrough},
    {"change_locale", "changes the locale", kThrough},
    {"round_upward", "changes the rounding mode", kThrough},
    {"flush_to_zero", "flushes subnormals to zero", kThrough},
};

std::size_t OpenDescriptors() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

long PeakKibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::vector<pid_t> GrandchildrenIn(const std::string& output) {
  std::vector<pid_t> pids;
  const std::regex line("grandchild ([0-9]+)\n");
  for (std::sregex_iterator at(output.begin(), output.end(), line), end; at != end; ++at) {
    pids.push_back(std::stoi((*at)[1]));
  }
  return pids;
}

class Isolation : public testing::TestWithParam<std::tuple<Row, bool>> {
 protected:
  const Row& row() const { return std::get<0>(GetParam()); }
  bool in_threads() const { return std::get<1>(GetParam()); }
  const char* expected() const { return in_threads() ? row().in_threads : row().in_processes; }
  std::string log() const {
    return testing::TempDir() + "parity_isolation_" + std::to_string(getpid()) + ".log";
  }

  // What came of the first run, as the death is told.
  std::string RunOnce() {
    SideOptions options = CounterSide({row().mood, "add", 1, 200}, 2, in_threads());
    options.deadline_seconds = row().deadline;
    options.memory_limit_bytes = row().memory_limit;
    EngineProcess side(options, {PARITY_HOST, {}, log()});
    pids_ = side.pids();
    std::string told = kThrough;
    try {
      for (const Results& rank : side.Run(CounterScripts(2))) CheckRight(rank);
    } catch (const SideFailure& failure) {
      told = failure.death().Text();
    }
    if (std::string(row().mood).starts_with("daemon")) {
      Eventually([&] { return !GrandchildrenIn(side.OutputTail()).empty(); });
      for (const pid_t pid : GrandchildrenIn(side.OutputTail())) pids_.push_back(pid);
      EXPECT_EQ(pids_.size(), in_threads() ? 2u : 3u);
    }
    return told;
  }
  static void CheckRight(const Results& rank) {
    const std::vector<float> total = FloatsOf(rank[3]);
    EXPECT_THAT(std::vector<float>(total.begin(), total.begin() + 4), ElementsAre(4, 8, 12, 0));
  }

  std::vector<pid_t> pids_;
};

TEST_P(Isolation, CostsNothingButItsOwnVerdict) {
  if (!kMemoryIsLimited && row().memory_limit != 0) {
    GTEST_SKIP() << "a sanitizer's shadow is memory like any other";
  }
  const std::size_t descriptors = OpenDescriptors();
  const long peak = PeakKibibytes();
  EXPECT_EQ(RunOnce(), expected());
  // Nothing is left: no process, and no memory, which goes with its last descriptor and mapping.
  for (const pid_t pid : pids_) EXPECT_TRUE(Eventually([&] { return !Lives(pid); })) << pid;
  EXPECT_EQ(OpenDescriptors(), descriptors);
  EXPECT_LT(PeakKibibytes() - peak, 64 << 10);
  for (const char* rank : {"", ".rank0", ".rank1"}) {
    std::filesystem::path path = log();
    path.replace_extension(rank + std::string(".log"));
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    if (!none) {
      EXPECT_LE(size, HostLog::kFileBytes);
    }
    std::filesystem::remove(path);
  }
  // And the next case goes on.
  EngineProcess next(CounterSide({}, 2, in_threads()), CounterHost());
  for (const Results& rank : next.Run(CounterScripts(2))) CheckRight(rank);
}

// A rank's place is the same in every row.
std::string Cell(std::string told) {
  if (told.empty()) return "comes through, its results are right";
  for (const char* place : {AT_ADD, ", b1_edge/decode#3"}) {
    if (told.ends_with(place)) told.erase(told.size() - std::string(place).size());
  }
  return told;
}

TEST(IsolationPage, HoldsTheseRows) {
  std::ifstream file(PARITY_SOURCE_DIR "/docs/isolation.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Row& row : kRows) {
    std::string line = std::string("| ") + row.does + " | " + Cell(row.in_threads);
    if (std::string(row.in_processes) != row.in_threads) {
      line += "; in processes: " + Cell(row.in_processes);
    }
    EXPECT_THAT(page, testing::HasSubstr(line + " |\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(Engine, Isolation,
                         testing::Combine(testing::ValuesIn(kRows), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).mood) +
                                  (std::get<1>(info.param) ? "_in_threads" : "_in_processes");
                         });

}  // namespace
}  // namespace parity
