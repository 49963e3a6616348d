// Room on disk: the budget to the byte, who goes first, and writers that die or share a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

class KvBudget : public testing::TestWithParam<TinyLibrary> {
 protected:
  json Knobs(const json& more = json::object()) {
    json kv = {
        {"folder", folder_.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
    kv.update(more);
    return kv;
  }
  // The answer to a graceful stop behind `prompt`.
  json Stored(const std::string& prompt, const json& knobs = json::object()) {
    return Answers({GetParam(), Knobs(knobs)},
                   {Complete({{"prompt", prompt}, {"max_tokens", 0}}), Stop()})[1];
  }
  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, KvBudget, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvBudget, AFileAndOnePercentOfItMustFit) {
  Stored(kPsalm);
  const std::uint64_t bytes = fs::file_size(folder_.Only());
  const std::uint64_t least = bytes + (bytes + 99) / 100;
  fs::remove(folder_.Only());
  const json refused = Stored(kPsalm, {{"budget_bytes", least - 1}});
  EXPECT_EQ(EventsOf(refused, "refuse").at(0)["why"], "over_budget");
  EXPECT_TRUE(folder_.Records().empty());
  for (const std::uint64_t budget : {least, least + 1}) {
    EXPECT_EQ(EventsOf(Stored(kPsalm, {{"budget_bytes", budget}}), "store").size(), 1);
    fs::remove(folder_.Only());
  }
}

TEST_P(KvBudget, RoomIsMadeToTheByte) {
  Stored(kPsalm);
  Stored(kGenesis);
  std::uint64_t both = 0;
  for (const fs::path& path : folder_.Records()) both += fs::file_size(path);
  const std::string third = "Now these are the generations of the sons of Noah, Shem, Ham";
  const Folder measured;
  json kv = Knobs();
  kv["folder"] = measured.path();
  Answers({GetParam(), kv}, {Complete({{"prompt", third}, {"max_tokens", 0}}), Stop()});
  const std::uint64_t needed = both + fs::file_size(measured.Only());
  EXPECT_EQ(EventsOf(Stored(third, {{"budget_bytes", needed}}), "evict").size(), 0);
  EXPECT_EQ(folder_.Records().size(), 3);
  for (const fs::path& path : folder_.Records()) {
    if (path.filename() == measured.Only().filename()) fs::remove(path);
  }
  EXPECT_EQ(EventsOf(Stored(third, {{"budget_bytes", needed - 1}}), "evict").size(), 1);
  EXPECT_EQ(folder_.Records().size(), 2);
}

// A waypoint is worth half of what an anchor is; a hit doubles it.
TEST_P(KvBudget, TheLeastWorthGoesFirst) {
  const json first = Stored(kPsalm);
  Answers({GetParam(), Knobs({{"continued_interval_tokens", 96}})},
          {Complete({{"prompt", kGenesis}, {"max_tokens", 0}})});
  ASSERT_EQ(folder_.Records().size(), 2);
  std::uint64_t both = 0;
  for (const fs::path& path : folder_.Records()) both += fs::file_size(path);
  const json opened = Answers({GetParam(), Knobs({{"budget_bytes", both - 1}})}, {Stop()})[0];
  ASSERT_EQ(EventsOf(opened, "evict").size(), 1);
  EXPECT_EQ(EventsOf(opened, "evict")[0]["reason"], "continued");
  EXPECT_EQ(folder_.Only().stem().string(), EventsOf(first, "store")[0]["key"]);
}

// A write that is killed half way: the kernel ends the process where its file would grow further.
TEST_P(KvBudget, AWriterThatDiesLeavesTheRecordAsItWas) {
  Stored(kPsalm);
  const fs::path path = folder_.Only();
  // Of a larger context it is in the way of a new one, and is not to be refreshed.
  std::string record = ReadBytes(path);
  record[17] = 8;
  WriteBytes(path, record);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {record.size() / 2, record.size() / 2};
    setrlimit(RLIMIT_FSIZE, &limit);
    Stored(kPsalm);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
  EXPECT_TRUE(ReadBytes(path) == record);
  // What it left is no record, counts for nothing and is not cleaned up.
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    files += entry.path().filename().string().starts_with(path.filename().string() + ".tmp.");
  }
  EXPECT_EQ(files, 1);
  EXPECT_EQ(EventsOf(Stored(kPsalm), "store").size(), 1);
  EXPECT_EQ(ReadBytes(path)[17], 2);
}

TEST_P(KvBudget, AFailedWriteLeavesNothing) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {2000, 2000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const json answer = Stored(kPsalm);
    _exit(EventsOf(answer, "refuse").at(0)["why"] == "write_failed" ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_P(KvBudget, TwoProcessesShareAFolder) {
  const auto work = [&](const std::string& name) {
    OnFreshSide({GetParam(), Knobs({{"budget_bytes", 1200000}})}, [&](const Ask& ask) {
      for (int i = 0; i < 6; ++i) {
        const std::string prompt = name + std::to_string(i % 3) + " " + kPsalm;
        const json answer = ask(Complete({{"prompt", prompt}, {"max_tokens", 1}}));
        if (answer["usage"]["prompt"].get<int>() < 32) _exit(2);
      }
      ask(Stop());
    });
  };
  const pid_t child = fork();
  if (child == 0) {
    work("Peter");
    _exit(0);
  }
  work("Paul");
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  // No record is torn: each is whole and named for its text.
  const json after = Answers({GetParam(), Knobs()}, {Stop()})[0];
  EXPECT_TRUE(EventsOf(after, "refuse").empty());
  EXPECT_FALSE(folder_.Records().empty());
}

// A record that is there already gets a new trailer, and nothing else of it changes.
TEST_P(KvBudget, ATrailerIsRefreshedInPlace) {
  const json chat = {{"do", "complete"},   {"surface", "chat"},
                     {"tools", true},      {"max_tokens", 8},
                     {"ignore_end", true}, {"messages", {{{"role", "user"}, {"content", kPsalm}}}}};
  const json first = Answers({GetParam(), Knobs()}, {chat, Stop()})[0];
  const fs::path path = folder_.Only();
  const std::string before = ReadBytes(path);
  const std::vector<json> again =
      Answers({GetParam(), Knobs()}, {chat, Complete({{"prompt", kGenesis}, {"max_tokens", 0}})});
  EXPECT_EQ(EventsOf(again[1], "refresh").size(), 1);
  const std::string after = ReadBytes(path);
  EXPECT_EQ(after[5], before[5]);
  const std::size_t trailer = before.rfind("KTM\x01");
  EXPECT_EQ(Masked(after.substr(0, trailer)), Masked(before.substr(0, trailer)));
  EXPECT_NE(after.find(again[0]["tool_calls"][0]["id"].get<std::string>()), std::string::npos);
}

}  // namespace
}  // namespace parity
