// A recording written, read back, and refused where it is not what it should be.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <system_error>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/images.h"
#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/write_recording.h"
#include "tests/replay/small_recording.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class OnDiskTest : public ::testing::Test {
 protected:
  OnDiskTest() { written_ = WriteRecording(path_, small_.Index(), small_.recording, small_.pages); }

  ReadFromDisk Read() const {
    const RecordingFolder folder(path_);
    return ReadRecording(folder, ReadRecordingIndex(folder), small_.plan, small_.workload);
  }
  static auto Refusal(const std::string& words) {
    return ThrowsMessage<RecordingRefused>(HasSubstr(words));
  }
  std::string File(const std::string& name) const {
    std::ifstream file(path_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Replaces a file and makes the sums agree, as one would who means harm.
  void Forge(const std::string& name, const std::string& text) {
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
    Sums sums = ParseSums(File(kSumsFile));
    sums[name] = Sha256Of(text);
    std::ofstream(path_ + "/" + kSumsFile) << SumsText(sums);
  }
  void ForgeEvidence(const std::function<void(Json&)>& change) {
    Json json = Json::parse(File(kEvidenceFile));
    change(json);
    Forge(kEvidenceFile, json.dump());
  }
  static std::vector<std::vector<std::uint8_t>> Contents(const Recording& recording,
                                                         const std::vector<PageStore>& pages) {
    std::vector<std::vector<std::uint8_t>> all;
    ForEachImage(recording, [&](std::size_t rank, const Image& image) {
      pages[rank].Read(image, all.emplace_back(image.bytes).data());
    });
    return all;
  }

  SmallRecording small_;
  std::string path_ = small_.folder.Path("recording");
  WrittenRecording written_;
};

// What it says, but for where its pages lie.
std::string SaidBy(Recording recording) {
  ForEachImage(recording, [](std::size_t, Image& image) { image.pages.clear(); });
  return ToJson(recording).dump();
}

TEST_F(OnDiskTest, ComesBackBitForBit) {
  const ReadFromDisk read = Read();
  EXPECT_EQ(SaidBy(read.recording), SaidBy(small_.recording));
  std::vector<PageStore> pages;
  for (const std::vector<int>& chunks : read.memory->chunks()) pages.emplace_back(chunks, false);
  EXPECT_EQ(Contents(read.recording, pages), Contents(small_.recording, small_.pages));
  const RecordingIndex index = ReadRecordingIndex(RecordingFolder(path_));
  EXPECT_EQ(RecordingIndexText(index), File(kIndexFile));
  EXPECT_EQ(index.reference.objects, small_.Index().reference.objects);
  EXPECT_EQ(index.library, small_.Index().library);
}

TEST_F(OnDiskTest, WhatItWasReadIntoIsSealed) {
  const ReadFromDisk read = Read();
  for (const std::vector<int>& rank : read.memory->chunks()) {
    EXPECT_THROW(PageStore(rank, true), std::system_error);
  }
}

TEST_F(OnDiskTest, IsSpilledWhereTheBudgetHasNoRoomForIt) {
  small_.plan.manifest.memory_budget_bytes = kPageBytes;
  small_.plan.manifest.spill = SpillOptions{small_.folder.path(), 1};
  const ReadFromDisk read = Read();
  std::vector<PageStore> pages;
  for (const std::vector<int>& chunks : read.memory->chunks()) {
    EXPECT_EQ(fcntl(chunks[0], F_GET_SEALS), -1);  // a file, no memory
    EXPECT_THROW(PageStore(chunks, true), std::system_error);
    pages.emplace_back(chunks, false);
  }
  EXPECT_EQ(Contents(read.recording, pages), Contents(small_.recording, small_.pages));
}

TEST_F(OnDiskTest, EachPageOfOneContentIsThereOnce) {
  // h; the state's page of zeros, its tail, the page that changed.
  EXPECT_LE(written_.data_bytes, 2 * (2 * kPageBytes + 256));
  EXPECT_GT(written_.data_bytes, 2 * 2 * kPageBytes);
  EXPECT_EQ(written_.image_bytes, 2 * (2 * SmallRecording::kStateBytes + 2 * 8));
  EXPECT_EQ(written_.Text(), "0.3 MiB of pages for 0.8 MiB of images");
}

TEST_F(OnDiskTest, NothingIsWrittenOver) {
  const std::string before = File(kSumsFile);
  EXPECT_THAT([&] { WriteRecording(path_, small_.Index(), small_.recording, small_.pages); },
              ThrowsMessage<std::runtime_error>(HasSubstr("recording exists")));
  fs::create_symlink("nowhere", small_.folder.Path("link"));
  EXPECT_THROW(
      WriteRecording(small_.folder.Path("link"), small_.Index(), small_.recording, small_.pages),
      std::runtime_error);
  // Not even where it came to be in the meantime; an empty folder would be renamed onto.
  NewFolder late(small_.folder.Path("late"));
  fs::create_directory(small_.folder.Path("late"));
  EXPECT_THAT([&] { late.Become(); }, ThrowsMessage<std::runtime_error>(HasSubstr("exists")));
  EXPECT_EQ(File(kSumsFile), before);
}

TEST_F(OnDiskTest, NothingHalfWrittenIsLeft) {
  // A rank's pages are missing: it fails when the first files are there.
  std::vector<PageStore> one;
  one.emplace_back(small_.memory->chunks()[0], false);
  const auto files = [&] {
    return std::distance(fs::directory_iterator(small_.folder.path()), fs::directory_iterator());
  };
  const auto before = files();
  EXPECT_ANY_THROW(
      WriteRecording(small_.folder.Path("half"), small_.Index(), small_.recording, one));
  EXPECT_THAT(
      [&] {
        WriteRecording(small_.folder.Path("no/such"), small_.Index(), small_.recording,
                       small_.pages);
      },
      ThrowsMessage<std::runtime_error>(HasSubstr("cannot make a folder beside")));
  EXPECT_EQ(files(), before);
}

TEST_F(OnDiskTest, AnyByteFlippedIsRefused) {
  for (const std::string name :
       {kSumsFile, kIndexFile, kEvidenceFile, "rank0.safetensors", "rank1.safetensors"}) {
    const std::string whole = File(name);
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 40);
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
      std::ofstream(path_ + "/" + name, std::ios::binary) << flipped;
      EXPECT_THROW(Read(), RecordingRefused) << name << " " << at;
    }
    std::ofstream(path_ + "/" + name, std::ios::binary) << whole;
  }
  Read();
}

TEST_F(OnDiskTest, TruncatedFileIsRefused) {
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string whole = File(entry.path().filename());
    for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{9},
                                   std::size_t{8}, std::size_t{3}, std::size_t{0}}) {
      std::ofstream(entry.path(), std::ios::binary) << whole.substr(0, size);
      EXPECT_THROW(Read(), RecordingRefused) << entry.path() << " " << size;
    }
    std::ofstream(entry.path(), std::ios::binary) << whole;
  }
  Read();
}

TEST_F(OnDiskTest, AnotherFormatIsRefused) {
  Json index = Json::parse(File(kIndexFile));
  index["format"] = kRecordingFormat + 1;
  index["unknown to this version"] = 1;
  Forge(kIndexFile, index.dump());
  EXPECT_THAT([&] { Read(); },
              Refusal("/recording.json: format: got 2, expected 1, which this version reads"));
}

TEST_F(OnDiskTest, IndexThatIsNoneIsRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "no JSON object"},
      {"[]", "no JSON object"},
      {"{}", "format: got none"},
      {R"({"format": 1, "inputs": []})", "inputs: expected an object"},
      {R"({"format": 1, "extra": 1})", "no other keys"},
      {R"({"format": 1, "tool": 3})", "tool: got 3, expected a text"},
      {R"({"format": 1, "reference": {"objects": [["a"]]}})", "reference/objects/0: got [\"a\"]"}};
  for (const auto& [text, words] : cases) {
    Forge(kIndexFile, text);
    EXPECT_THAT([&] { Read(); }, Refusal(words)) << text;
  }
}

// What the recording was made of is not what this run is made of.
struct OtherInput {
  const char* name;
  std::function<void(SmallRecording&)> change;
  const char* words;
};

class OtherInputTest : public OnDiskTest, public ::testing::WithParamInterface<OtherInput> {};

TEST_P(OtherInputTest, IsRefusedWithBothValues) {
  GetParam().change(small_);
  EXPECT_THAT([&] { Read(); },
              ThrowsMessage<RecordingRefused>(AllOf(HasSubstr("is of other inputs than this run's"),
                                                    HasSubstr(GetParam().words))));
}

INSTANTIATE_TEST_SUITE_P(
    inputs, OtherInputTest,
    ::testing::Values(
        OtherInput{"Manifest", [](auto& at) { at.plan.manifest.name = "other"; },
                   "manifest: got \"small\", expected \"other\""},
        OtherInput{"Engine", [](auto& at) { at.plan.manifest.reference.engine = "large"; },
                   "reference/engine: got \"small\", expected \"large\""},
        OtherInput{"Backend", [](auto& at) { at.plan.manifest.reference.backend = "cuda"; },
                   "reference/backend: got \"host\", expected \"cuda\""},
        OtherInput{"Config", [](auto& at) { at.plan.manifest.reference.config["dtype"] = "bf16"; },
                   "reference/config/dtype: got none, expected \"bf16\""},
        OtherInput{"Environment", [](auto& at) { at.plan.manifest.reference.env["A"] = "1"; },
                   "reference/env/A: got none, expected \"1\""},
        OtherInput{"Description",
                   [](auto& at) { at.folder.Write("description.json", R"({"a": 1})"); },
                   "reference/description: got "},
        OtherInput{"Weights",
                   [](auto& at) {
                     at.plan.manifest.reference.config["w"] = at.folder.Write("w", "weights");
                   },
                   "reference/weights: got "},
        OtherInput{"Ranks", [](auto& at) { at.plan.manifest.ranks.count = 3; },
                   "ranks: got 2, expected 3"},
        OtherInput{"Seed", [](auto& at) { at.plan.manifest.workload.seed = 7; },
                   "workload/seed: got 24301, expected 7"},
        OtherInput{
            "Prompts",
            [](auto& at) { at.plan.manifest.workload.prompts = at.folder.Write("prompts", "{}"); },
            "workload/prompts: got \"\", expected "},
        OtherInput{"Chunk", [](auto& at) { at.plan.manifest.workload.chunk = 8; },
                   "workload/chunk: got 16, expected 8"},
        OtherInput{"Batches",
                   [](auto& at) {
                     at.plan.manifest.workload.batches = {1, 2};
                   },
                   "workload/batches/1: got none, expected 2"},
        OtherInput{"Tokens", [](auto& at) { at.workload.runs[0].sequences[0].tokens = {6}; },
                   "workload/runs: got "},
        OtherInput{"Repeats", [](auto& at) { at.plan.manifest.judge.repeats = 3; },
                   "judge/repeats: got 2, expected 3"},
        OtherInput{"Cut",
                   [](auto& at) {
                     at.plan.spans[0].reference = {0, 2};
                   },
                   "spans/decode_embed: got "},
        OtherInput{"Frontier", [](auto& at) { at.plan.spans[0].frontier[1].restored = false; },
                   "spans/decode_embed: got "},
        OtherInput{"MoreSpans",
                   [](auto& at) {
                     at.plan.spans.push_back(at.plan.spans[0]);
                     at.plan.spans[1].slug = "decode_more";
                   },
                   "spans/decode_more: got none"},
        OtherInput{"Outputs", [](auto& at) { at.plan.programs[0].outputs.clear(); },
                   "programs/decode: got "}),
    [](const auto& info) { return info.param.name; });

TEST(DifferingInputs, AreToldUpToEightOfThem) {
  Json recorded = Json::object(), expected = Json::object();
  for (int i = 0; i < 20; ++i) recorded["key" + std::to_string(i)] = i;
  EXPECT_THAT(DifferingInputs(recorded, recorded), IsEmpty());
  const std::vector<std::string> lines = DifferingInputs(recorded, expected);
  ASSERT_THAT(lines, SizeIs(9));
  EXPECT_EQ(lines[0], "key0: got 0, expected none");
  EXPECT_EQ(lines[8], "and 12 more");
  expected["empty"] = Json::object();
  EXPECT_THAT(DifferingInputs(Json::object(), expected),
              ::testing::ElementsAre("null against nothing or empty"));
}

// The candidate, its judgement and where things lie are not the recording's affair.
TEST_F(OnDiskTest, WhatItDoesNotDependOnMayChange) {
  small_.plan.manifest.candidate.engine = "another";
  small_.plan.manifest.judge.kl = 1;
  small_.plan.manifest.judge.tolerances.emplace_back();
  small_.plan.manifest.memory_budget_bytes = 1;
  small_.plan.manifest.reference.library = "/elsewhere/lib.so";
  small_.plan.spans[0].candidate = {3, 7};
  EXPECT_THAT(Read().recording.spans, SizeIs(1));
}

struct BadEvidence {
  const char* name;
  std::function<void(Json&)> change;
  const char* words;
};

class BadEvidenceTest : public OnDiskTest, public ::testing::WithParamInterface<BadEvidence> {};

TEST_P(BadEvidenceTest, IsRefusedWhereItsHashesAgree) {
  ForgeEvidence(GetParam().change);
  EXPECT_THAT([&] { Read(); }, ThrowsMessage<RecordingRefused>(AllOf(HasSubstr("/evidence.json: "),
                                                                     HasSubstr(GetParam().words))));
}

Json& FirstTensor(Json& evidence) { return evidence["spans"][0][0]["ranks"][0][0]; }
Json& FirstEnd(Json& evidence) { return evidence["runs"][0][0]; }

INSTANTIATE_TEST_SUITE_P(
    evidence, BadEvidenceTest,
    ::testing::Values(
        BadEvidence{"List", [](Json& json) { json = Json::array(); }, "no JSON object"},
        BadEvidence{"UnknownKey", [](Json& json) { json["more"] = 1; }, "no other keys"},
        BadEvidence{"WrongType", [](Json& json) { FirstTensor(json)["after"] = "x"; },
                    "spans/0/0/ranks/0/0/after: got \"x\", expected a list"},
        BadEvidence{"NegativeRun", [](Json& json) { json["spans"][0][0]["run"] = -1; },
                    "spans/0/0/run: got -1, expected a whole number"},
        BadEvidence{"MissingScalar", [](Json& json) { json["spans"][0][0].erase("run"); },
                    "spans/0/0/run: is missing"},
        BadEvidence{"NoSuchRun", [](Json& json) { json["spans"][0][0]["run"] = 1; },
                    "decode_embed: kept of run 1"},
        BadEvidence{"FewerSpans", [](Json& json) { json["spans"] = Json::array(); },
                    "spans: got 0, expected 1"},
        BadEvidence{"FewerRanks", [](Json& json) { json["spans"][0][0]["ranks"].erase(1); },
                    "decode_embed/ranks: got 1, expected 2"},
        BadEvidence{"FewerTensors", [](Json& json) { json["spans"][0][0]["ranks"][0].erase(1); },
                    "decode_embed/tensors: got 1, expected 2"},
        BadEvidence{"HugeImage",
                    [](Json& json) {
                      FirstTensor(json)["after"] = {std::uint64_t{1} << 60, 0};
                    },
                    "decode_embed/h: an image: got 1152921504606846976 bytes, expected 8"},
        BadEvidence{"HalfAnImage",
                    [](Json& json) {
                      FirstTensor(json)["after"] = {4, 0};
                    },
                    "decode_embed/h: an image: got 4 bytes, expected 8"},
        BadEvidence{"NothingToRestore",
                    [](Json& json) { json["spans"][0][0]["ranks"][0][1]["before"] = {0}; },
                    "decode_embed/k: an image: got 0 bytes, expected "},
        BadEvidence{"ImageOfWhatIsNotRead",
                    [](Json& json) {
                      FirstTensor(json)["before"] = {8, 0};
                    },
                    "decode_embed/h: an image: got 8 bytes, expected 0"},
        BadEvidence{"SpreadOfNoSpan", [](Json& json) { json["spreads"][0]["span"] = "other"; },
                    "a spread of h in other on rank 1, which there is not"},
        BadEvidence{"SpreadOfAnotherRank", [](Json& json) { json["spreads"][0]["rank"] = 2; },
                    "a spread of h in decode_embed on rank 2"},
        BadEvidence{"RepeatsOfAnotherRank",
                    [](Json& json) { json["repeats"]["decode"][0]["rows"][0]["rank"] = 2; },
                    "repeats of program decode on rank 2, of 2"},
        BadEvidence{"RepeatsOfNoTensor",
                    [](Json& json) { json["repeats"]["decode"][0]["finals"][0]["tensor"] = "x"; },
                    "repeats of program decode with x, which the reference does not have"},
        BadEvidence{"NoPage", [](Json& json) { FirstTensor(json)["after"] = {8}; },
                    "an image of 8 bytes with 0 pages"},
        BadEvidence{"PageBeyondTheFile",
                    [](Json& json) {
                      FirstTensor(json)["after"] = {8, 1 << 30};
                    },
                    "a page at 1073741824, outside"},
        BadEvidence{"PageWhoseEndWrapsRound",
                    [](Json& json) {
                      FirstTensor(json)["after"] = {8, ~std::uint64_t{0} - 3};
                    },
                    "outside"},
        BadEvidence{"OddRanges", [](Json& json) { FirstTensor(json)["written"] = {1}; },
                    "pairs of first and count"},
        BadEvidence{"RangeBeyondTheTensor",
                    [](Json& json) {
                      FirstTensor(json)["compared"] = {1, 2};
                    },
                    "decode_embed/h: elements 1 and 2 on, of 2"},
        BadEvidence{"RangeThatWrapsRound",
                    [](Json& json) {
                      FirstTensor(json)["compared"] = {2, ~std::uint64_t{0}};
                    },
                    "decode_embed/h: elements 2"},
        BadEvidence{"RangesThatOverlap",
                    [](Json& json) {
                      FirstTensor(json)["written"] = {0, 2, 1, 1};
                    },
                    "decode_embed/h: elements 1"},
        BadEvidence{"FewerRuns", [](Json& json) { json["runs"] = Json::array(); },
                    "runs: got 0, expected 1"},
        BadEvidence{"NoOutput", [](Json& json) { FirstEnd(json).erase("images"); },
                    "b2/decode#0/images: got [], expected [\"h\"]"},
        BadEvidence{"AnotherState",
                    [](Json& json) {
                      FirstEnd(json)["states"] = {{"v", {0}}};
                    },
                    "b2/decode#0/states: got [\"v\"], expected [\"k\"]"},
        BadEvidence{"NoDigest", [](Json& json) { FirstEnd(json).erase("digests"); },
                    "b2/decode#0/digests: got []"},
        BadEvidence{"RepeatsOfNoProgram",
                    [](Json& json) { json["repeats"]["train"] = Json::array(); },
                    "repeats of program train"},
        BadEvidence{"Dtype",
                    [](Json& json) { json["repeats"]["decode"][0]["finals"][0]["dtype"] = "f12"; },
                    "repeats/decode/0/finals/0/dtype: got \"f12\", expected a dtype"},
        BadEvidence{"NotANumber", [](Json& json) { json["seconds"]["load"] = "soon"; },
                    "seconds/load: got \"soon\", expected a number"},
        BadEvidence{"FaultOfNoSpan", [](Json& json) { json["faults"][0]["span"] = 1; },
                    "a fault of a span that there is not"},
        BadEvidence{"RatesOfFewerRanks", [](Json& json) { json["copy_rates"].erase(0); },
                    "copy_rates: got 1, expected 2"},
        BadEvidence{"TimesOfMoreRanks",
                    [](Json& json) {
                      json["times"][0]["times"]["b2/decode#0"] = {{1}, {1}, {1}};
                    },
                    "times of 3 ranks"},
        BadEvidence{"BytesOfFewerRanks", [](Json& json) { json["bytes"].erase(0); },
                    "bytes: got 1, expected 2"}),
    [](const auto& info) { return info.param.name; });

TEST_F(OnDiskTest, PagesThatAreNoSafetensorsAreRefused) {
  const std::string whole = File("rank0.safetensors");
  std::string other = whole;
  other.replace(other.find("pages"), 5, "wages");
  const std::pair<std::string, const char*> cases[] = {
      {other, "expected one tensor, 'pages'"},
      {std::string(8, '\xff') + whole.substr(8), "a safetensors header: got"},
      {whole + "more", "of data, expected"},
      {std::string(8, '\0'), "no JSON object"},
      {"", "without a header"}};
  for (const auto& [text, words] : cases) {
    Forge("rank0.safetensors", text);
    EXPECT_THAT([&] { Read(); }, Refusal(words));
  }
}

TEST_F(OnDiskTest, PagesOfMoreRanksThanTheRunHasAreRefused) {
  Forge("rank2.safetensors", File("rank1.safetensors"));
  EXPECT_THAT([&] { Read(); }, Refusal("its files: got [\"evidence.json\",\"rank0.safetensors\","));
}

}  // namespace
}  // namespace parity
