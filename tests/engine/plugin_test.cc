#include "gtest_parity/engine/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "gtest_parity/engine/error.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The words of the EngineError(PARITY_INVALID) that loading throws; empty if it throws none.
std::string LoadError(const std::string& path) {
  try {
    Plugin plugin(path);
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_INVALID);
    return error.what();
  }
  return "";
}

TEST(Plugin, EngineOfAPluginInC99) {
  const Plugin plugin(PARITY_FIXTURE_COUNTER);
  EXPECT_THAT(plugin.EngineNames(), ElementsAre("counter"));
  const parity_engine_api& api = plugin.Find("counter");
  EXPECT_STREQ(api.name, "counter");
  EXPECT_THAT(DescribeEngine(api, "{}"), HasSubstr("\"engine\": \"counter\""));
}

TEST(Plugin, UnknownEngineListsThoseThereAre) {
  unsetenv("BAD_TABLE");
  const Plugin plugin(PARITY_FIXTURE_BAD_TABLES);
  EXPECT_THAT(plugin.EngineNames(), ElementsAre("first", "second"));
  try {
    plugin.Find("third");
    FAIL() << "found an engine that does not exist";
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_INVALID);
    EXPECT_THAT(error.what(), HasSubstr("no engine 'third', it offers: first, second"));
  }
}

TEST(Plugin, NoSuchFile) {
  EXPECT_THAT(LoadError("/nowhere/libnothing.so"),
              HasSubstr("/nowhere/libnothing.so: no such file"));
}

TEST(Plugin, TextFile) {
  const std::string path = testing::TempDir() + "parity_plugin_test.so";
  std::ofstream(path) << "just text";
  EXPECT_THAT(LoadError(path), HasSubstr(path));
  std::remove(path.c_str());
}

TEST(Plugin, Folder) { EXPECT_THAT(LoadError(testing::TempDir()), HasSubstr("cannot load")); }

TEST(Plugin, LibraryWithoutTheSymbol) {
  EXPECT_THAT(LoadError(PARITY_FIXTURE_NO_SYMBOL), HasSubstr("does not export 'parity_plugin'"));
}

TEST(Plugin, DescribeThatFails) {
  unsetenv("BAD_TABLE");
  const Plugin plugin(PARITY_FIXTURE_BAD_TABLES);
  try {
    DescribeEngine(plugin.Find("second"), "{}");
    FAIL() << "an engine that fails was described";
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_FAILED);
    EXPECT_STREQ(error.what(), "describe: nothing works here");
  }
}

struct BadTable {
  const char* what;  // value of BAD_TABLE
  const char* words;
};

class PluginTable : public testing::TestWithParam<BadTable> {};

TEST_P(PluginTable, IsRefused) {
  setenv("BAD_TABLE", GetParam().what, 1);
  const std::string words = LoadError(PARITY_FIXTURE_BAD_TABLES);
  unsetenv("BAD_TABLE");
  EXPECT_THAT(words, HasSubstr(GetParam().words));
  EXPECT_THAT(words, HasSubstr(PARITY_FIXTURE_BAD_TABLES));
}

INSTANTIATE_TEST_SUITE_P(
    Bad, PluginTable,
    testing::Values(BadTable{"none", "returned no table"},
                    BadTable{"abi", "built for version 99 of engine.h, expected version 1"},
                    BadTable{"short_table", "the plugin's table is shorter than"},
                    BadTable{"no_list", "has no list of engines"},
                    BadTable{"null_engine", "an engine table is missing"},
                    BadTable{"short_engine", "shorter than"}, BadTable{"no_name", "without a name"},
                    BadTable{"tap_only", "'second' is PARITY_TAP_ONLY and lacks"},
                    BadTable{"describe", "'second' lacks the required function 'describe'"},
                    BadTable{"create", "'second' lacks the required function 'create'"},
                    BadTable{"destroy", "'second' lacks the required function 'destroy'"},
                    BadTable{"last_error", "'second' lacks the required function 'last_error'"},
                    BadTable{"region", "'second' lacks the required function 'region'"},
                    BadTable{"stage", "'second' lacks the required function 'stage'"},
                    BadTable{"run", "'second' lacks the required function 'run'"},
                    BadTable{"reset", "'second' lacks the required function 'reset'"},
                    BadTable{"synchronize", "'second' lacks the required function 'synchronize'"}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(Plugin, TableOfNoEngines) {
  setenv("BAD_TABLE", "empty", 1);
  const Plugin plugin(PARITY_FIXTURE_BAD_TABLES);
  unsetenv("BAD_TABLE");
  EXPECT_THAT(plugin.EngineNames(), IsEmpty());
  try {
    plugin.Find("first");
    FAIL() << "found an engine that does not exist";
  } catch (const EngineError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it offers: none"));
  }
}

TEST(NameOf, EveryStatusHasAName) {
  const std::pair<parity_status, const char*> names[] = {{PARITY_OK, "ok"},
                                                         {PARITY_FAILED, "failed"},
                                                         {PARITY_INVALID, "invalid"},
                                                         {PARITY_UNSUPPORTED, "unsupported"},
                                                         {PARITY_REFUSED, "refused"},
                                                         {PARITY_OUT_OF_MEMORY, "out of memory"},
                                                         {PARITY_CANCELLED, "cancelled"},
                                                         {PARITY_DEVICE_LOST, "device lost"}};
  for (const auto& [status, name] : names) EXPECT_EQ(NameOf(status), name);
}

}  // namespace
}  // namespace parity
