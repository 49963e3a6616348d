#include "gtest_parity/side/engine_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/side/counter_side.h"

namespace parity {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

class EngineProcesses : public testing::TestWithParam<std::tuple<std::uint32_t, bool>> {
 protected:
  std::uint32_t ranks() const { return std::get<0>(GetParam()); }
  bool in_threads() const { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Ranks, EngineProcesses,
                         testing::Combine(testing::Values(1, 2, 4), testing::Bool()),
                         [](const auto& info) {
                           return (std::get<1>(info.param) ? "threads" : "processes") +
                                  std::to_string(std::get<0>(info.param));
                         });

TEST_P(EngineProcesses, RunOnEveryRank) {
  EngineProcess side(CounterSide({}, ranks(), in_threads()), CounterHost());
  EXPECT_TRUE(side.alive());
  EXPECT_TRUE(side.is_evidence());
  EXPECT_THAT(side.pids(), SizeIs(in_threads() ? 1 : ranks()));
  EXPECT_THAT(side.provenance(), HasSubstr("candidate: counter of " PARITY_FIXTURE_COUNTER));
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::vector<Results> results = side.Run(CounterScripts(ranks()));
    ASSERT_THAT(results, SizeIs(ranks()));
    for (const Results& rank : results) {
      EXPECT_EQ(FloatsOf(rank[3])[2], 6 * static_cast<float>(ranks()));
    }
  }
  EXPECT_THAT(side.MappedObjects(), Contains(PARITY_FIXTURE_COUNTER));
  EXPECT_THAT(side.MappedObjects(), Contains(PARITY_HOST));
  EXPECT_THROW(side.Run(CounterScripts(ranks() + 1)), std::invalid_argument);
}

TEST(EngineProcess, HostAndGrandchildrenGoWithIt) {
  pid_t host = 0, grandchild = 0;
  {
    EngineProcess side(CounterSide({"grandchild", "add", 0}), CounterHost());
    side.Run(CounterScripts());
    host = side.pids()[0];
    ASSERT_TRUE(Eventually([&] { return side.OutputTail().ends_with("\n"); }));
    ASSERT_EQ(std::sscanf(side.OutputTail().c_str(), "grandchild %d", &grandchild), 1);
    EXPECT_TRUE(Lives(host));
    EXPECT_TRUE(Lives(grandchild));
  }
  EXPECT_FALSE(Lives(host));
  EXPECT_TRUE(Eventually([&] { return !Lives(grandchild); }));
}

TEST(EngineProcess, GrandchildrenOfADeadHostAreEnded) {
  EngineProcess side(CounterSide({"grandchild_then_crash", "add", 0}), CounterHost());
  EXPECT_THROW(side.Run(CounterScripts()), SideFailure);
  ASSERT_TRUE(Eventually([&] { return side.OutputTail().ends_with("\n"); }));
  pid_t grandchild = 0;
  ASSERT_EQ(std::sscanf(side.OutputTail().c_str(), "grandchild %d", &grandchild), 1);
  EXPECT_TRUE(Eventually([&] { return !Lives(grandchild); }));
}

// A judge that is killed leaves nothing behind: no host, idle or hanging, and no daemon of one.
class JudgeThatDies : public testing::TestWithParam<std::tuple<const char*, bool>> {};

INSTANTIATE_TEST_SUITE_P(Moods, JudgeThatDies,
                         testing::Combine(testing::Values("none", "hang", "daemon_and_hang"),
                                          testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_in_threads" : "_in_processes");
                         });

TEST_P(JudgeThatDies, TakesEverythingWithIt) {
  const auto& [mood, in_threads] = GetParam();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const SideOptions options = CounterSide({mood, "add", 1}, 2, in_threads);
  const pid_t judge = fork();
  if (judge == 0) {
    EngineProcess side(options, CounterHost());
    const auto tell = [&](pid_t pid) {
      if (write(ends[1], &pid, sizeof(pid)) < 0) _exit(1);
    };
    for (const pid_t pid : side.pids()) tell(pid);
    std::thread watcher([&] {
      if (mood != std::string("daemon_and_hang")) return;
      int daemon = 0;
      Eventually([&] {
        const std::string tail = side.OutputTail();
        const std::size_t at = tail.find("grandchild ");
        return at != std::string::npos && tail.ends_with('\n') &&
               std::sscanf(tail.c_str() + at, "grandchild %d", &daemon) == 1;
      });
      tell(daemon);
    });
    if (mood == std::string("none")) pause();
    side.Run(CounterScripts(2));
    _exit(0);
  }
  std::size_t count = in_threads ? 1 : 2;
  if (mood == std::string("daemon_and_hang")) ++count;
  std::vector<pid_t> pids(count);
  for (pid_t& pid : pids) {
    ASSERT_EQ(read(ends[0], &pid, sizeof(pid)), static_cast<ssize_t>(sizeof(pid)));
    EXPECT_TRUE(Lives(pid)) << pid;
  }
  kill(judge, SIGKILL);
  waitpid(judge, nullptr, 0);
  for (const pid_t pid : pids) EXPECT_TRUE(Eventually([&] { return !Lives(pid); })) << pid;
  close(ends[0]);
  close(ends[1]);
}

// The kernel's parent-death signal speaks of the thread that forked.
TEST(EngineProcess, OutlivesTheThreadThatStartedIt) {
  std::unique_ptr<EngineProcess> side;
  std::thread([&] {
    side = std::make_unique<EngineProcess>(CounterSide({}, 2, false), CounterHost());
  }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(FloatsOf(side->Run(CounterScripts(2))[1][3])[2], 12);
}

struct Setup {
  const char* name;
  void (*spoil)(SideOptions& side, HostOptions& host);
  const char* words;
};

class EngineProcessSetup : public testing::TestWithParam<Setup> {};

TEST_P(EngineProcessSetup, IsNotHeldAgainstTheSide) {
  SideOptions side = CounterSide();
  HostOptions host = CounterHost();
  GetParam().spoil(side, host);
  try {
    EngineProcess process(side, host);
    FAIL() << "it was set up";
  } catch (const SetupError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, EngineProcessSetup,
    testing::Values(
        Setup{"stale",
              [](SideOptions& side, HostOptions&) { side.config["mood"] = "other_description"; },
              "the candidate's checked-in description is stale:\n/context"},
        Setup{"no_json", [](SideOptions& side, HostOptions&) { side.config["mood"] = "no_json"; },
              "the candidate's engine describes itself with what is no JSON"},
        Setup{"traits", [](SideOptions& side, HostOptions&) { side.description.sequential = true; },
              "engine 'counter' is not sequential, its description says it is"},
        Setup{"engine", [](SideOptions& side, HostOptions&) { side.engine = "abacus"; },
              "no engine 'abacus', it offers: counter"},
        Setup{"library", [](SideOptions& side, HostOptions&) { side.library = "/nowhere.so"; },
              "/nowhere.so: no such file"},
        Setup{"no_plugin",
              [](SideOptions& side, HostOptions&) { side.library = PARITY_FIXTURE_NO_SYMBOL; },
              "does not export 'parity_plugin'"},
        Setup{"bad_table",
              [](SideOptions& side, HostOptions&) {
                side.library = PARITY_FIXTURE_BAD_TABLES;
                side.env["BAD_TABLE"] = "abi";
              },
              "built for version 99 of engine.h"},
        Setup{"host", [](SideOptions&, HostOptions& host) { host.program = "/nowhere/host"; },
              "no engine host at /nowhere/host"},
        Setup{"no_ranks", [](SideOptions& side, HostOptions&) { side.ranks = 0; },
              "0 ranks, expected 1 to 64"},
        Setup{"many_ranks", [](SideOptions& side, HostOptions&) { side.ranks = 65; },
              "65 ranks, expected 1 to 64"}),
    [](const auto& info) { return std::string(info.param.name); });

std::string LineAfter(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name + "=");
  if (at == std::string::npos) return "(not printed)";
  const std::size_t begin = at + name.size() + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string EnvironmentSeen(SideOptions options) {
  EngineProcess side(std::move(options), CounterHost());
  side.Run(CounterScripts());
  EXPECT_TRUE(Eventually([&] {
    return side.OutputTail().find("COUNTER_INHERITED") != std::string::npos &&
           side.OutputTail().ends_with("\n");
  }));
  return side.OutputTail();
}

TEST(EngineProcess, EnvironmentIsTheJudgesAndTheManifests) {
  setenv("COUNTER_INHERITED", "from the judge", 1);
  SideOptions side = CounterSide({"environment", "add", 0});
  side.env["COUNTER_COLOUR"] = "green";
  side.library_path = {"/first/folder", "/second/folder"};
  const std::string seen = EnvironmentSeen(side);
  unsetenv("COUNTER_INHERITED");
  EXPECT_EQ(LineAfter(seen, "COUNTER_COLOUR"), "green");
  EXPECT_EQ(LineAfter(seen, "COUNTER_INHERITED"), "from the judge");
  const char* own = getenv("LD_LIBRARY_PATH");
  EXPECT_EQ(LineAfter(seen, "LD_LIBRARY_PATH"),
            std::string("/first/folder:/second/folder") + (own ? ":" + std::string(own) : ""));
}

TEST(EngineProcess, LogFileAndTail) {
  const std::string path =
      testing::TempDir() + "parity_engine_process_" + std::to_string(getpid()) + ".log";
  {
    EngineProcess side(CounterSide({"print", "add", 0}), {PARITY_HOST, {}, path});
    side.Run(CounterScripts());
    EXPECT_TRUE(Eventually([&] { return side.OutputTail().ends_with("the last line\n"); }));
    EXPECT_LE(side.OutputTail().size(), HostLog::kTailBytes);
  }
  EXPECT_EQ(std::filesystem::file_size(path), HostLog::kFileBytes);
  std::filesystem::remove(path);
}

TEST(EngineProcess, AWrapperSuspendsDeadlines) {
  SideOptions options = CounterSide();
  options.deadline_seconds = 0;
  EngineProcess side(options, {PARITY_HOST, {"/usr/bin/env"}, ""});
  EXPECT_EQ(FloatsOf(side.Run(CounterScripts())[0][3])[2], 6);
}

// Recorded by one process, sealed, and read by another.
class RecordingOfTwoSides : public testing::Test {
 protected:
  RecordingOfTwoSides() : chunk_(CreateSharedMemory("parity_recording", kChunkBytes)) {
    SideOptions options = CounterSide();
    options.chunks = {{chunk_.get()}};
    options.records = true;
    EngineProcess reference(options, CounterHost());
    std::vector<Script> scripts = CounterScripts();
    const std::size_t kept = scripts[0].Keep(kTotal);
    const std::vector<Results> results = reference.Run(scripts);
    image_ = results[0][kept].image;
    total_ = FloatsOf(results[0][3]);
    // While the reference lives it can write.
    EXPECT_THROW(SealAgainstWrites(chunk_.get()), std::system_error);
  }
  SideOptions Candidate(const Mood& mood) const {
    SideOptions options = CounterSide(mood);
    options.chunks = {{chunk_.get()}};
    return options;
  }
  std::vector<float> Recorded() const {
    const PageStore pages({chunk_.get()}, false);
    std::vector<float> values(image_.bytes / sizeof(float));
    pages.Read(image_, values.data());
    return values;
  }

  FileDescriptor chunk_;
  Image image_;
  std::vector<float> total_;
};

TEST_F(RecordingOfTwoSides, TheCandidateReadsIt) {
  SealAgainstWrites(chunk_.get());
  EngineProcess candidate(Candidate({}), CounterHost());
  std::vector<Script> scripts = CounterScripts();
  const std::size_t compared = scripts[0].Elements(kTotal, Source::Of(image_), Source::Live());
  const std::vector<Results> results = candidate.Run(scripts);
  EXPECT_EQ(results[0][compared].elements.compared, 16u);
  EXPECT_TRUE(results[0][compared].elements.Identical());
}

// Sealed or not, what the candidate has is mapped read-only.
TEST_F(RecordingOfTwoSides, TheCandidateCannotWriteIt) {
  for (const bool sealed : {false, true}) {
    if (sealed) SealAgainstWrites(chunk_.get());
    EngineProcess candidate(Candidate({"scribble", "add", 0}), CounterHost());
    try {
      candidate.Run(CounterScripts());
      ADD_FAILURE() << "it wrote the recording: " << candidate.OutputTail();
    } catch (const SideFailure& failure) {
      EXPECT_EQ(failure.death().cause, Death::Cause::kSignal);
      EXPECT_EQ(failure.death().what, "signal SIGSEGV");
      EXPECT_EQ(failure.death().op, "layer0.add");
    }
    EXPECT_EQ(Recorded(), total_);
  }
}

// More descriptors than one message takes.
TEST(EngineProcess, RecordingOfManyChunks) {
  std::vector<FileDescriptor> chunks;
  SideOptions options = CounterSide({}, 2);
  options.chunks.resize(2);
  for (std::size_t i = 0; i < Socket::kMaxDescriptors + 3; ++i) {
    chunks.push_back(CreateSharedMemory("parity_recording", kChunkBytes));
    options.chunks[1].push_back(chunks.back().get());
  }
  options.records = true;
  EngineProcess side(options, CounterHost());
  std::vector<Script> scripts = CounterScripts(2);
  scripts[0].Keep(kTotal);
  scripts[1].Keep(kTotal);
  const std::vector<Results> results = side.Run(scripts);
  EXPECT_TRUE(results[0].back().exhausted);
  EXPECT_FALSE(results[1].back().exhausted);
}

}  // namespace
}  // namespace parity
