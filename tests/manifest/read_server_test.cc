// Sides that are servers, as the manifest's reader takes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_manifest.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pair;

class ReadServerTest : public testing::Test {
 protected:
  ReadServerTest() {
    for (const char* program : {"bin/server", "tools/found"}) {
      namespace fs = std::filesystem;
      fs::permissions(folder_.Write(program, "#!/bin/sh\n"), fs::perms::owner_all);
    }
    folder_.Write("libtiny.so", "");
    folder_.Write("model/config.json", "{}");
    options_.search.directories = {folder_.Path("tools")};
  }

  // A manifest whose reference is `side`.
  Manifest Read(const std::string& side) {
    return ReadManifest(
        folder_.Write("m.yaml",
                      "parity: 1\n"
                      "name: pair\n"
                      "reference: " +
                          side +
                          "\n"
                          "candidate: {server: {command: [bin/server, \"{port}\"]}}\n"),
        options_);
  }
  std::string Error(const std::string& side) {
    return ErrorOf([&] { Read(side); });
  }
  // Of a reference whose server is in order but for `more`.
  std::string ErrorWith(const std::string& more) {
    return Error("{server: {command: [bin/server, \"{port}\"], " + more + "}}");
  }

  TempFolder folder_;
  ReadOptions options_;
};

TEST_F(ReadServerTest, EverythingThatCanBeSaid) {
  const Manifest manifest = Read(R"(
  name: llama
  config: {model: {path: model}, n: 1}
  server:
    command: [found, --port, "{port}", --plugin, "{library:tiny}", --config, "{config}", 7, "{config:/model}"]
    environment: {PATH: ~, THREADS: 4, KV: "{kv_folder}"}
    working_directory: model
    port: 8080
    ready: {path: /health, seconds: 1.5}
    stop: {signal: SIGINT, seconds: 3}
    counters: {path: /stats}
    log: out/server.log)");
  const SideDeclaration& side = manifest.reference;
  EXPECT_EQ(side.name, "llama");
  EXPECT_EQ(side.config.at("model"), folder_.Path("model"));
  const ServerDeclaration& server = side.server.value();
  EXPECT_THAT(server.command, ElementsAre(folder_.Path("tools/found"), "--port", "{port}",
                                          "--plugin", folder_.Path("libtiny.so"), "--config",
                                          "{config}", "7", "{config:/model}"));
  EXPECT_THAT(server.environment, ElementsAre(Pair("KV", "{kv_folder}"), Pair("PATH", std::nullopt),
                                              Pair("THREADS", "4")));
  EXPECT_EQ(server.working_directory, folder_.Path("model"));
  EXPECT_EQ(server.port, 8080u);
  EXPECT_EQ(server.ready_path, "/health");
  EXPECT_EQ(server.ready_seconds, 1.5);
  EXPECT_EQ(server.stop_signal, "SIGINT");
  EXPECT_EQ(server.stop_seconds, 3);
  EXPECT_EQ(server.counters_path, "/stats");
  EXPECT_EQ(server.log, folder_.Path("out/server.log"));
}

TEST_F(ReadServerTest, Defaults) {
  const Manifest manifest = Read("{server: {command: [sh, \"{port}\"], environment: [HOME]}}");
  EXPECT_THAT(manifest.reference.server->command[0], EndsWith("/bin/sh"));
  EXPECT_THAT(manifest.reference.server->environment, ElementsAre(Pair("HOME", std::nullopt)));
  EXPECT_EQ(manifest.candidate.name, "server");
  EXPECT_EQ(manifest.candidate.server->working_directory, folder_.Path(""));
}

TEST_F(ReadServerTest, ASideIsAPluginOrAServer) {
  const std::string both =
      Error("{library: tiny, backend: cuda, server: {command: [bin/server, \"{port}\"]}}");
  EXPECT_THAT(both, HasSubstr("m.yaml:3:22: reference.library: got \"tiny\", expected nothing "
                              "beside `server`: it is a key of engine plugins"));
  EXPECT_THAT(both, HasSubstr("reference.backend: got \"cuda\", expected nothing beside `server`"));
  const std::string neither = Error("{name: x}");
  EXPECT_THAT(neither, HasSubstr("missing key \"reference.library\""));
  EXPECT_THAT(neither, HasSubstr("reference.name: got \"x\", expected nothing without `server`"));
}

TEST_F(ReadServerTest, TheCommandIsChecked) {
  EXPECT_THAT(Error("{server: {}}"), HasSubstr("missing key \"reference.server.command\""));
  EXPECT_THAT(Error("{server: {command: []}}"), HasSubstr("got an empty list, expected a list"));
  EXPECT_THAT(Error("{server: {command: bin/server}}"), HasSubstr("expected a list of words"));
  EXPECT_THAT(Error("{server: {command: [bin/server, [1]]}}"), HasSubstr("got a list, expected"));
  EXPECT_THAT(Error("{server: {command: [bin/sever, \"{port}\"]}}"),
              HasSubstr("reference.server.command: not found: got \"bin/sever\", expected one of "
                        "these programs: " +
                        folder_.Path("bin/sever")));
  EXPECT_THAT(Error("{server: {command: [sever_, \"{port}\"]}}"),
              HasSubstr(folder_.Path("tools/sever_") + ", "));
  EXPECT_THAT(Error("{server: {command: [bin/server]}}"),
              HasSubstr("reference.server.port: got none, and {port} is nowhere in the command"));
}

TEST_F(ReadServerTest, PlaceholdersAreChecked) {
  EXPECT_THAT(ErrorWith("environment: {A: \"{prot}\"}"),
              HasSubstr("environment.A: unknown placeholder: got \"{prot}\", expected \"port\""));
  EXPECT_THAT(ErrorWith("environment: {A: \"{port:1}\"}"),
              HasSubstr("got \"{port:1}\", expected {port}"));
  EXPECT_THAT(ErrorWith("environment: {A: \"{config:model}\"}"), HasSubstr("a JSON pointer"));
  EXPECT_THAT(ErrorWith("environment: {A: \"{library:none}\"}"),
              HasSubstr("environment.A: not found: got \"none\", expected one of these files: " +
                        folder_.Path("libnone.so")));
  EXPECT_THAT(ErrorWith("environment: {A: \"{library}\"}"), HasSubstr("{library} without a name"));
}

TEST_F(ReadServerTest, TheRestIsChecked) {
  EXPECT_THAT(ErrorWith("environment: PATH"), HasSubstr("expected a list of names, or a mapping"));
  EXPECT_THAT(ErrorWith("environment: [A=1]"), HasSubstr("expected the name of a variable"));
  EXPECT_THAT(ErrorWith("environment: {A: [1]}"), HasSubstr("environment.A: got a list"));
  EXPECT_THAT(ErrorWith("working_directory: nowhere"), HasSubstr("no such folder: "));
  EXPECT_THAT(ErrorWith("port: 65536"), HasSubstr("got 65536, expected 0 to 65535"));
  EXPECT_THAT(ErrorWith("ready: {path: health}"), HasSubstr("expected a path that begins with /"));
  EXPECT_THAT(ErrorWith("ready: {seconds: 0}"), HasSubstr("ready.seconds: got \"0\""));
  EXPECT_THAT(ErrorWith("stop: {signal: SIGKILL}"), HasSubstr("stop.signal: got \"SIGKILL\""));
  EXPECT_THAT(ErrorWith("counters: {url: /}"),
              HasSubstr("unknown key in reference.server.counters"));
}

TEST_F(ReadServerTest, SpansNeedAPlugin) {
  EXPECT_THAT(ErrorOf([&] { MakePlan(Read("{server: {command: [bin/server, \"{port}\"]}}")); }),
              HasSubstr("m.yaml:3:21: reference.server: got a server, expected an engine plugin "
                        "(library, engine, description): this is asked inside an engine"));
}

}  // namespace
}  // namespace parity
