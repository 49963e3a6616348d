#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/side/counter_side.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kNobody = -1, kAnybody = -2;  // not known; known if the host was still at it

// How one mood ends. `ranks` counts the ranks of the side.
struct End {
  const char* name;
  Mood mood;
  std::uint32_t ranks;
  Death::Cause cause;
  const char* what;
  int rank;
  const char* op;
  double deadline = 20;
};

void PrintTo(const End& end, std::ostream* out) { *out << end.name; }

// Who was to blame, in which run and op.
void ExpectBlamed(const Death& death, const End& end, bool setup) {
  if (end.rank == kAnybody) return;
  if (end.rank == kNobody) {
    EXPECT_THAT(death.ranks, IsEmpty());
  } else {
    EXPECT_THAT(death.ranks, ElementsAre(end.rank));
  }
  EXPECT_EQ(death.run, setup || end.rank == kNobody ? "" : "b1_edge/decode#3");
  EXPECT_EQ(death.op, end.op);
}

class EngineProcessDeath : public testing::TestWithParam<std::tuple<End, bool>> {};

TEST_P(EngineProcessDeath, IsToldAsItWas) {
  const auto& [end, in_threads] = GetParam();
  SideOptions options = CounterSide(end.mood, end.ranks, in_threads);
  options.deadline_seconds = end.deadline;
  const bool setup = end.mood.at == "create" || end.mood.at == "describe";
  std::unique_ptr<EngineProcess> side;
  try {
    side = std::make_unique<EngineProcess>(options, CounterHost());
    EXPECT_FALSE(setup) << "it was set up";
    side->Run(CounterScripts(end.ranks));
    FAIL() << "it went on";
  } catch (const SideFailure& failure) {
    const Death& death = failure.death();
    EXPECT_EQ(death.cause, end.cause) << death.what;
    EXPECT_THAT(death.what, HasSubstr(end.what));
    ExpectBlamed(death, end, setup);
    EXPECT_EQ(death.during_setup, setup);
  }
  if (setup) return;
  // An engine that says what is wrong lives on; every other end is one.
  const bool lives = end.mood.what == "fail" || end.mood.what == "refuse";
  EXPECT_EQ(side->alive(), lives);
  for (const pid_t pid : side->pids()) EXPECT_EQ(kill(pid, 0) == 0, lives);
}

constexpr Death::Cause kSignal = Death::Cause::kSignal, kExit = Death::Cause::kExit,
                       kHang = Death::Cause::kHang, kFailed = Death::Cause::kFailed,
                       kRefused = Death::Cause::kRefused;
const char* const kAdd = "layer0.add";
const char* const kForged = "bytes that the other end's program did not send came over its socket";

const End kEnds[] = {

    End{"segv", {"crash", "add", 0}, 1, kSignal, "signal SIGSEGV", 0, kAdd},
    End{"segv_in_the_first_op",
        {"crash", "double", 0},
        1,
        kSignal,
        "signal SIGSEGV",
        0,
        "layer0.double"},
    End{"segv_while_others_wait", {"crash", "add", 2}, 3, kSignal, "signal SIGSEGV", 2, kAdd},
    End{"segv_that_was_sent", {"raise", "add", 1}, 2, kSignal, "signal SIGSEGV", 1, kAdd},
    End{"abort", {"abort", "add", 1}, 2, kSignal, "signal SIGABRT", 1, kAdd},
    End{"sigkill", {"killed", "add", 0}, 1, kSignal, "signal SIGKILL", 0, kAdd},
    End{"exit", {"exit_3", "add", 1}, 2, kExit, "exit status 3", 1, kAdd},
    End{"exit_with_0", {"exit_0", "add", 0}, 1, kExit, "exit status 0", 0, kAdd},
    End{"_exit", {"_exit_77", "add", 0}, 1, kExit, "exit status 77", 0, kAdd},
    End{"fails", {"fail", "add", 1}, 2, kFailed, "run: the counter lost count", 1, kAdd},
    End{"refuses", {"refuse", "add", 0}, 1, kRefused, "guard counter.even", 0, kAdd},
    End{"loses_its_device",
        {"lose_device", "add", 1},
        2,
        Death::Cause::kDeviceLost,
        "run: ",
        1,
        kAdd},
    End{"hangs", {"hang", "add", 0}, 1, kHang, "no answer within 0.3 s", 0, kAdd, 0.3},
    End{"hangs_while_others_wait",
        {"hang", "add", 1},
        3,
        kHang,
        "no answer within 0.3 s",
        1,
        kAdd,
        0.3},
    End{"closes_its_socket", {"close_socket", "add", 0}, 1, kExit, "exit status 124", kAnybody, ""},
    End{"answers_with_garbage", {"garbage", "add", 0}, 1, kFailed, kForged, kAnybody, ""},
    End{"answers_with_no_msgpack", {"garbage_frame", "add", 0}, 1, kFailed, kForged, kAnybody, ""},
    End{"answers_with_something_else",
        {"another_answer", "add", 0},
        1,
        kFailed,
        kForged,
        kAnybody,
        ""},
    End{"segv_while_loading", {"crash", "create", 1}, 2, kSignal, "signal SIGSEGV", 1, ""},
    End{"exit_while_loading", {"exit_3", "create", 0}, 1, kExit, "exit status 3", 0, ""},
    End{"fails_while_loading",
        {"fail", "create", 1},
        2,
        kFailed,
        "create: there is no weight for this",
        1,
        ""},
    End{"hangs_while_loading",
        {"hang", "create", 1},
        2,
        kHang,
        "no answer within 0.3 s",
        1,
        "",
        0.3},
    End{"segv_while_described", {"crash", "describe", 0}, 1, kSignal, "signal SIGSEGV", 0, ""},
    // The child holds the host's end of the socket.
    End{"segv_with_a_child",
        {"grandchild_then_crash", "add", 0},
        1,
        kSignal,
        "signal SIGSEGV",
        0,
        kAdd,
        600}};

INSTANTIATE_TEST_SUITE_P(Moods, EngineProcessDeath,
                         testing::Combine(testing::ValuesIn(kEnds), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "_in_threads" : "_in_processes");
                         });

TEST(EngineProcess, GoesOnAfterAnErrorInWords) {
  EngineProcess side(CounterSide({"fail", "add", 1}, 2), CounterHost());
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_THROW(side.Run(CounterScripts(2)), SideFailure);
    EXPECT_TRUE(side.alive());
  }
  // What does not come to that op works.
  std::vector<Script> scripts(2);
  for (Script& script : scripts) {
    script.Stage(CounterStep());
    script.Run("decode", 0, 1);
    script.Bytes(kDoubled, Source::Live());
  }
  EXPECT_THAT(FloatsOf(side.Run(scripts)[1][2]), ElementsAre(2, 4, 6));
}

TEST(EngineProcess, LiveSizeThatChangesDuringARun) {
  EngineProcess side(CounterSide({"grow", "double", 0}), CounterHost());
  std::vector<Script> scripts(1);
  scripts[0].Stage(CounterStep());
  scripts[0].Watch();
  scripts[0].Run("decode", 0, 1);
  scripts[0].Strays({"doubled"}, {});
  try {
    side.Run(scripts);
    FAIL() << "nobody saw it";
  } catch (const SideFailure& failure) {
    EXPECT_EQ(failure.death().cause, kFailed);
    EXPECT_THAT(failure.death().what, HasSubstr("doubled: its live size changed during a run"));
    EXPECT_EQ(failure.death().run, "b1_edge/decode#3");
  }
}

TEST(EngineProcess, SocketClosedByAnEngineThatThenHangs) {
  EngineProcess side(CounterSide({"close_socket_and_hang", "add", 0}), CounterHost());
  const pid_t pid = side.pids()[0];
  try {
    side.Run(CounterScripts());
    FAIL() << "it went on";
  } catch (const SideFailure& failure) {
    EXPECT_EQ(failure.death().cause, kFailed);
    EXPECT_THAT(failure.death().what, EndsWith("closed the socket"));
    EXPECT_THAT(failure.death().ranks, ElementsAre(0));
    EXPECT_EQ(failure.death().op, kAdd);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(EngineProcess, NothingCanBeAskedOfTheDead) {
  EngineProcess side(CounterSide({"crash", "add", 0}), CounterHost());
  EXPECT_THROW(side.Run(CounterScripts()), SideFailure);
  EXPECT_THROW(side.Run(CounterScripts()), std::logic_error);
}

// The output of the last moments explains a death.
TEST(EngineProcess, TailOfADeadHost) {
  EngineProcess side(CounterSide({"grandchild_then_crash", "add", 0}), CounterHost());
  EXPECT_THROW(side.Run(CounterScripts()), SideFailure);
  EXPECT_TRUE(Eventually([&] { return side.OutputTail().starts_with("grandchild "); }));
}

}  // namespace
}  // namespace parity
