// What a suite offers to somebody who looks into one span.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

struct Safetensors {
  nlohmann::json header;
  std::string data;

  std::string Bytes(const std::string& name) const {
    const auto offsets = header.at(name).at("data_offsets").get<std::vector<std::size_t>>();
    return data.substr(offsets.at(0), offsets.at(1) - offsets.at(0));
  }
};

Safetensors ReadSafetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::uint64_t length = 0;
  if (all.size() < sizeof(length)) throw std::runtime_error(path + ": no safetensors file");
  std::memcpy(&length, all.data(), sizeof(length));
  return {nlohmann::json::parse(all.substr(8, length)), all.substr(8 + length)};
}

SuiteArguments OneSpan(const std::string& candidate) {
  return {.manifest = "tests/suite/quick.yaml",
          .filter = "*SpanParity*/decode_layer0_gate",
          .candidate = candidate};
}

TEST(Dump, HoldsBothSidesOfEveryKeptRun) {
  const ScratchFolder folder;
  SuiteArguments arguments = OneSpan(R"({"name": "drift"})");
  arguments.more = {"--parity_dump=" + folder.path()};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() + "/decode_layer0_gate")) {
    ++files;
    const Safetensors dumped = ReadSafetensors(entry.path());
    std::vector<std::string> names;
    for (const auto& [name, unused] : dumped.header.items()) names.push_back(name);
    EXPECT_THAT(names, UnorderedElementsAre("before.x", "reference.gate", "candidate.gate"));
    EXPECT_EQ(dumped.header.at("reference.gate").at("dtype"), "F32");
    EXPECT_THAT(dumped.header.at("reference.gate").at("shape").back(), 512);
    EXPECT_NE(dumped.Bytes("reference.gate"), dumped.Bytes("candidate.gate"));
  }
  EXPECT_EQ(files, run.At("SpanParity/decode_layer0_gate").verdict.compared);
}

TEST(Dump, OfAnIdenticalSpanHoldsTheSameBytes) {
  const ScratchFolder folder;
  SuiteArguments arguments = OneSpan("");
  arguments.more = {"--parity_dump=" + folder.path()};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 0);
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() + "/decode_layer0_gate")) {
    const Safetensors dumped = ReadSafetensors(entry.path());
    EXPECT_EQ(dumped.Bytes("reference.gate"), dumped.Bytes("candidate.gate"));
  }
}

TEST(Dump, ThatCannotBeWrittenIsAnErrorOfTheHarness) {
  SuiteArguments arguments = OneSpan("");
  arguments.more = {"--parity_dump=/dev/null/dump"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.At("SpanParity/decode_layer0_gate").verdict.summary,
              HasSubstr("cannot write /dev/null/dump"));
}

// The end-to-end rules that speak of every span in every run do not where some runs were looked at.
TEST(RunFilter, NothingIsSaidOfRunsThatWereNotLookedAt) {
  const ScratchFolder folder;
  SuiteArguments arguments{
      .manifest = folder.Write(
          "m.yaml", ManifestText(Paged(), Ported(), "judge: {spans: end_to_end, kl: 100}\n")),
      .filter = "*Preflight*:*EndToEnd*/decode",
      .candidate = R"({"name": "drift", "run": "b1_page_edge/decode#1"})"};
  EXPECT_EQ(PropertyOf(SuiteRun(arguments).At("EndToEnd/decode"), "rule"), "6");
  arguments.more = {"--parity_run=decode#0"};
  const SuiteRun run(arguments);
  const CaseResult& result = run.At("EndToEnd/decode");
  EXPECT_EQ(PropertyOf(result, "rule"), "6") << result.verdict.summary;
  EXPECT_EQ(result.outcome, Outcome::kPass);
}

TEST(HostWrapper, RunsTheHostAndSuspendsDeadlines) {
  const ScratchFolder folder;
  const std::string wrapper = folder.path() + "/wrapper";
  std::ofstream(wrapper) << "#!/bin/sh\nsleep 0.3\necho \"$1\" >> " << folder.path()
                         << "/wrapped\nexec \"$@\"\n";
  std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
  SuiteArguments arguments = OneSpan("");
  arguments.deadline_seconds = 0.1;
  arguments.more = {"--parity_host_wrapper=" + wrapper};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 0);
  std::ifstream wrapped(folder.path() + "/wrapped");
  std::vector<std::string> programs;
  for (std::string line; std::getline(wrapped, line);) {
    programs.push_back(std::filesystem::path(line).filename());
  }
  EXPECT_THAT(programs, ElementsAre("parity_host", "parity_host"));
}

}  // namespace
}  // namespace parity::testing
