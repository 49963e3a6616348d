#include "gtest_parity/server/server_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gtest_parity/server/port.h"
#include "tests/server/fixture_server.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

// A ready server.
class Ready : public ServerProcess {
 public:
  explicit Ready(ServerSpec spec = FixtureServer(), ServerOptions options = FixtureOptions())
      : ServerProcess(std::move(spec), std::move(options)) {
    WaitUntilReady();
  }
};

bool IsThere(pid_t pid) { return kill(pid, 0) == 0; }

TEST(ServerProcess, IsStartedAskedAndStopped) {
  Ready server;
  EXPECT_TRUE(server.alive());
  EXPECT_TRUE(IsThere(server.pid()));
  EXPECT_EQ(getpgid(server.pid()), server.pid());
  EXPECT_EQ(server.Client().Get("/v1/models").status, 200);
  EXPECT_EQ(server.Counters()->at("requests"), 3);
  const ServerEnd& end = server.Stop();
  EXPECT_EQ(end.text, "exit status 0");
  EXPECT_TRUE(end.by_itself);
  EXPECT_THAT(end.left, IsEmpty());
  EXPECT_FALSE(server.alive());
  EXPECT_FALSE(IsThere(server.pid()));
  EXPECT_EQ(server.OutputTail(), "starting on " + std::to_string(server.port()) + "\nstored all\n");
}

TEST(ServerProcess, SaysWhatItIs) {
  Ready server;
  EXPECT_THAT(server.provenance(),
              MatchesRegex("candidate: fixture, .*fixture_server.py [0-9]+ in process [0-9]+, port "
                           "[0-9]+, SHA-256 [0-9a-f]{64}"));
  EXPECT_THAT(server.MappedObjects(), Contains(PARITY_PYTHON));
  const ResourceUse use = server.Resources();
  EXPECT_EQ(use.processes, 1u);
  EXPECT_GE(use.threads, 1u);
  EXPECT_GE(use.descriptors, 4u);
  EXPECT_GT(use.resident_bytes, std::uint64_t{1} << 20);
}

TEST(ServerProcess, InheritsNothingButWhatIsNamed) {
  setenv("PARITY_TEST_KEPT", "kept", 1);
  setenv("PARITY_TEST_SECRET", "secret", 1);
  setenv("HOME", "/", 0);
  ServerSpec spec = FixtureServer({"{config:/model}", "{config}", "{kv_folder}", "{ranks}"});
  spec.server.environment = {{"PARITY_TEST_KEPT", std::nullopt},
                             {"PARITY_TEST_UNSET", std::nullopt},
                             {"MODEL", "{config:/model} as {port}"}};
  spec.server.working_directory = "/proc";
  spec.config = {{"model", "a b"}, {"n", 1}};
  spec.kv_folder = "/kv";
  spec.ranks = 2;
  Ready server(spec);
  const json self = json::parse(server.Client().Get("/self").body);
  // A Python that is a script of some version manager adds variables of its own.
  const json& environment = self.at("environment");
  EXPECT_EQ(environment.at("PARITY_TEST_KEPT"), "kept");
  EXPECT_EQ(environment.at("MODEL"), "a b as " + std::to_string(server.port()));
  for (const char* absent : {"PARITY_TEST_SECRET", "PARITY_TEST_UNSET", "HOME"}) {
    EXPECT_FALSE(environment.contains(absent)) << absent;
  }
  EXPECT_EQ(self.at("folder"), "/proc");
  EXPECT_THAT(self.at("arguments").get<std::vector<std::string>>(),
              ElementsAre(EndsWith(".py"), std::to_string(server.port()), "a b",
                          R"({"model":"a b","n":1})", "/kv", "2"));
}

TEST(ServerProcess, ItsConfigurationIsAFileWhileItLives) {
  ServerSpec spec = FixtureServer({"{config_file}"});
  spec.config = {{"n", 1}};
  std::string path;
  {
    Ready server(spec);
    path = server.command().back();
    std::ifstream file(path);
    EXPECT_EQ(json::parse(file), spec.config);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ServerProcess, NoSuchProgramOrFolder) {
  ServerSpec spec = FixtureServer();
  spec.server.command[0] = "/nowhere/server";
  EXPECT_EQ(ThrownBy<SetupError>([&] { Ready{spec}; }),
            "the candidate's server: command: no program at '/nowhere/server'");
  spec = FixtureServer();
  spec.server.working_directory = "/nowhere";
  EXPECT_EQ(ThrownBy<SetupError>([&] { Ready{spec}; }),
            "the candidate's server: working_directory: no folder at '/nowhere'");
  spec = FixtureServer({"{config:/model/path}"});
  EXPECT_EQ(ThrownBy<SetupError>([&] { Ready{spec}; }),
            "the candidate's server: {config:/model/path}: nothing is there in {}");
}

TEST(ServerProcess, WhatIsNoProgramCannotBeRun) {
  const std::string path = testing::TempDir() + "parity_no_program";
  std::ofstream(path) << "neither a script nor a binary";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  ServerSpec spec = FixtureServer();
  spec.server.command[0] = path;
  EXPECT_EQ(ThrownBy<SetupError>([&] { Ready{spec}; }),
            "the candidate's server: cannot run " + path + ": Exec format error");
  std::filesystem::remove(path);
}

TEST(ServerProcess, DiesBeforeItIsReady) {
  EXPECT_THAT(ThrownBy<SideFailure>([] {
                Ready{FixtureServer({"die", "3"})};
              }),
              MatchesRegex("left: exit status 3, before it was ready; it printed last:\n"
                           "  starting on [0-9]+\n  no such model"));
}

TEST(ServerProcess, IsNeverReady) {
  ServerSpec spec = FixtureServer({"unready"});
  spec.server.ready_seconds = 1.5;
  EXPECT_THAT(ThrownBy<SideFailure>([&] { Ready{spec}; }),
              StartsWith("hung: not ready within 1.5 s: GET /v1/models: status 503, before it was "
                         "ready; it printed last:\n  starting on"));
  spec = FixtureServer({"silent"});
  spec.server.ready_seconds = 1.5;
  EXPECT_THAT(ThrownBy<SideFailure>([&] { Ready{spec}; }),
              StartsWith("hung: not ready within 1.5 s: GET /v1/models: no answer in time"));
}

TEST(ServerProcess, ItsPortIsTaken) {
  Ready first;
  ServerSpec spec = FixtureServer();
  spec.server.port = static_cast<std::uint32_t>(first.port());
  EXPECT_EQ(ThrownBy<SetupError>([&] { Ready{spec}; }),
            "the candidate's server: port " + std::to_string(first.port()) +
                " of 127.0.0.1 is taken, expected one that is free");
  EXPECT_TRUE(first.alive());
}

// It listens elsewhere, and on its port there is somebody else by now.
TEST(ServerProcess, AnotherAnswersOnItsPort) {
  ServerSpec spec = FixtureServer();
  spec.server.port = static_cast<std::uint32_t>(FreePort());
  spec.server.command[2] = "0";
  ServerProcess server(spec, FixtureOptions());
  ServerSpec other = FixtureServer();
  other.server.port = spec.server.port;
  Ready stranger(other);
  EXPECT_EQ(ThrownBy<SetupError>([&] { server.WaitUntilReady(); }),
            "the candidate's server: another process answers on port " +
                std::to_string(server.port()) + ", expected the one that was started");
}

TEST(ServerProcess, IgnoresItsStopSignal) {
  ServerSpec spec = FixtureServer({"deaf"});
  spec.server.stop_seconds = 0.5;
  Ready server(spec);
  const ServerEnd& end = server.Stop();
  EXPECT_EQ(end.text, "signal SIGKILL");
  EXPECT_FALSE(end.by_itself);
  EXPECT_FALSE(IsThere(server.pid()));
}

TEST(ServerProcess, LeavesAChildBehind) {
  Ready server(FixtureServer({"parent"}));
  EXPECT_EQ(server.Resources().processes, 2u);
  const ServerEnd& end = server.Stop();
  EXPECT_EQ(end.text, "exit status 0");
  ASSERT_THAT(end.left, ElementsAre(EndsWith(" sleep")));
  EXPECT_FALSE(IsThere(std::atoi(end.left[0].c_str())));
}

TEST(ServerProcess, DiesOfARequest) {
  Ready server;
  HttpReply reply = server.Client().Post("/die", "{}");
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(server.FailureOf(reply, "POST /die").death().Text(),
              AllOf(StartsWith("left: exit status 7, POST /die; it printed last:"),
                    EndsWith("\n  dying as asked")));
  Ready second;
  reply = second.Client().Post("/crash", "{}");
  EXPECT_THAT(second.FailureOf(reply, "POST /crash").death().Text(),
              StartsWith("died: signal SIGSEGV, POST /crash"));
}

TEST(ServerProcess, DoesNotAnswerInTime) {
  ServerOptions options = FixtureOptions();
  options.deadline_seconds = 0.5;
  Ready server(FixtureServer(), options);
  const HttpReply reply = server.Client().Post("/hang", "{}");
  EXPECT_TRUE(reply.timed_out);
  EXPECT_THAT(server.FailureOf(reply, "POST /hang").death().Text(),
              StartsWith("hung: no answer within 0.5 s, POST /hang"));
  EXPECT_FALSE(server.alive());
}

TEST(ServerProcess, WhatItAnswersBadlyIsToldWhileItLives) {
  ServerSpec spec = FixtureServer();
  spec.server.counters_path = "/list";
  Ready server(spec);
  EXPECT_THAT(ThrownBy<SideFailure>([&] { server.Counters(); }),
              StartsWith("failed: no JSON object: [1], GET /list"));
  const HttpReply reply = server.Client().Get("/nothing");
  EXPECT_THAT(server.FailureOf(reply, "GET /nothing").death().Text(),
              StartsWith(R"(failed: status 404: {"error": "nothing there"}, GET /nothing)"));
  EXPECT_TRUE(server.alive());
  spec.server.counters_path = "/nothing";
  Ready without(spec);
  EXPECT_FALSE(without.Counters());
}

// The harness is killed outright; the server, and what it started, do not outlive it.
TEST(ServerProcess, EndsWithTheHarness) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t harness = fork();
  if (harness == 0) {
    Ready server(FixtureServer({"parent"}));
    const pid_t pids[2] = {
        server.pid(),
        std::atoi(server.OutputTail().substr(server.OutputTail().find("child ") + 6).c_str())};
    if (write(ends[1], pids, sizeof(pids)) != sizeof(pids)) _exit(1);
    pause();
  }
  pid_t pids[2] = {};
  ASSERT_EQ(read(ends[0], pids, sizeof(pids)), static_cast<ssize_t>(sizeof(pids)));
  ASSERT_GT(pids[1], 0);
  for (const pid_t pid : pids) EXPECT_TRUE(IsThere(pid));
  kill(harness, SIGKILL);
  waitpid(harness, nullptr, 0);
  for (const pid_t pid : pids) {
    for (int i = 0; i < 2000 && IsThere(pid); ++i) usleep(5000);
    EXPECT_FALSE(IsThere(pid)) << pid;
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(ServerProcess, ItsOutputIsLogged) {
  const std::string path = testing::TempDir() + "parity_server.log";
  std::filesystem::remove(path);
  ServerOptions options = FixtureOptions();
  options.log_path = path;
  Ready(FixtureServer(), options).Stop();
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_THAT(line, StartsWith("starting on "));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace parity
