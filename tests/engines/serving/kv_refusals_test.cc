// Each reason for which a record is not taken, as docs/serving.md has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kHeader = 52;

void Put32(std::string& bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

std::size_t TextBytes(const std::string& record) {
  std::uint32_t bytes;
  std::memcpy(&bytes, record.data() + 48, sizeof(bytes));
  return bytes;
}

// What is done to a good record of kPsalm, and what comes of it.
struct Damage {
  const char* name;
  const char* why;
  std::function<void(std::string& record)> spoil;
  json knobs = json::object();
  std::string prompt = kPsalm + " Yea,";
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

// Word `index` of the payload becomes `value`.
std::function<void(std::string&)> Word(std::size_t index, std::uint32_t value) {
  return
      [=](std::string& record) { Put32(record, kHeader + TextBytes(record) + 4 * index, value); };
}

std::function<void(std::string&)> Byte(std::size_t at, char value) {
  return [=](std::string& record) { record[at] = value; };
}

std::vector<Damage> AllDamages() {
  const auto nothing = [](std::string&) {};
  const auto grow = [](std::string& record) {
    Put32(record, 40, static_cast<std::uint32_t>(record.size() - kHeader - TextBytes(record)) + 1);
    record += '\0';
  };
  const auto shrink = [](std::string& record) {
    record.pop_back();
    Put32(record, 40, static_cast<std::uint32_t>(record.size() - kHeader - TextBytes(record)));
  };
  return {
      {"magic", "invalid_header", Byte(2, 'D')},
      {"version", "invalid_header", Byte(3, 2)},
      {"quant", "invalid_header", Byte(4, 8)},
      {"abi", "invalid_header", Byte(20, 1)},
      {"older_abi", "invalid_header", Byte(20, 0)},
      {"no_tokens", "invalid_header", [](std::string& record) { Put32(record, 8, 0); }},
      {"cut", "invalid_header", [](std::string& record) { record.pop_back(); }},
      {"of_47_bytes", "invalid_header", [](std::string& record) { record.resize(47); }},
      {"of_51_bytes", "invalid_header", [](std::string& record) { record.resize(51); }},
      {"text_beyond_the_file", "invalid_header",
       [](std::string& record) { Put32(record, 48, 0xffffffffu); }},
      {"sizes_overflow", "invalid_header",
       [](std::string& record) { std::memset(record.data() + 40, 0xff, 8); }},
      {"unknown_reason", "legacy_replay_contract", Byte(5, static_cast<char>(200))},
      {"agent_reason", "legacy_replay_contract", Byte(5, 5)},
      {"serial_with_bank_bit", "legacy_replay_contract", Byte(6, 16)},
      {"bank_without_bit", "legacy_replay_contract", Byte(5, 7)},
      {"model", "different_model", Byte(7, 3)},
      {"quant_rule", "different_quant", Byte(4, 2), {{"reject_different_quant", true}}},
      {"context", "exceeds_context", nothing, {{"context", 128}}},
      {"too_few", "below_min_tokens", nothing, {{"min_tokens", 200}}},
      {"count_of_32_bits", "below_min_tokens",
       [](std::string& record) { Put32(record, 8, 0xffffffffu); }},
      {"text_changed", "hash_mismatch", Byte(kHeader + 20, '#')},
      {"no_identity", "identity_missing", nothing, {{"fingerprint", true}}},
      {"payload_magic", "unknown_payload", Word(0, 1)},
      {"payload_version_0", "payload_version", Word(1, 0)},
      {"payload_version_4", "payload_version", Word(1, 4)},
      {"layout", "other_family", Word(5, 0x33524c53)},
      {"payload_context", "exceeds_context", Word(2, 100000)},
      {"element", "other_kv_type", Word(6, 2)},
      {"layers", "other_shape", Word(8, 4)},
      {"rows", "row_count", Word(12, 3)},
      {"payload_longer", "trailing_bytes", grow},
      {"payload_shorter", "truncated_payload", shrink},
      {"header_count", "token_count", [](std::string& record) { ++record[8]; }},
      {"words_of_32_bits", "exceeds_context",
       [](std::string& record) {
         Word(7, 0xffffffffu)(record);
         Word(12, 0xffffffffu)(record);
       }},
  };
}

class KvRefusals : public testing::TestWithParam<std::tuple<TinyLibrary, Damage>> {};

INSTANTIATE_TEST_SUITE_P(All, KvRefusals,
                         testing::Combine(testing::Values(kPaged, kPorted),
                                          testing::ValuesIn(AllDamages())),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).engine) + "_" +
                                  std::get<1>(test.param).name;
                         });

// A record of kPsalm as `library` writes it, in a folder of its own.
fs::path Save(const TinyLibrary& library, const Folder& folder,
              const json& knobs = json::object()) {
  json kv = {{"folder", folder.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
  kv.update(knobs);
  Answers({library, kv}, {Complete({{"prompt", kPsalm}, {"max_tokens", 0}}), Stop()});
  return folder.Only();
}

json Load(const TinyLibrary& library, const Folder& folder, const std::string& prompt,
          const json& knobs = json::object(), const std::string& model = ModelDirectory()) {
  json kv = {{"folder", folder.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
  kv.update(knobs);
  return Answers({.library = library, .kv = kv, .model = model},
                 {Complete({{"prompt", prompt}, {"max_tokens", 1}})})[0];
}

TEST_P(KvRefusals, IsTold) {
  const auto& [library, damage] = GetParam();
  const Folder folder;
  const fs::path path = Save(library, folder);
  std::string record = ReadBytes(path);
  damage.spoil(record);
  WriteBytes(path, record);
  const json answer = Load(library, folder, damage.prompt, damage.knobs);
  EXPECT_EQ(answer["usage"]["cached"], 0);
  const std::vector<json> refused = EventsOf(answer, "refuse");
  ASSERT_EQ(refused.size(), 1) << answer["events"];
  EXPECT_EQ(refused[0]["why"], damage.why);
  EXPECT_EQ(refused[0]["key"], path.stem().string());
  const bool discarded = damage.why == std::string("token_count");
  EXPECT_EQ(fs::exists(path), !discarded);
}

class KvFiles : public testing::TestWithParam<TinyLibrary> {
 protected:
  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, KvFiles, testing::Values(kPaged, kPorted),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(KvFiles, ChangedBetweenIndexAndLoad) {
  const fs::path path = Save(GetParam(), folder_);
  const std::string prompt = kPsalm + " Yea,";
  struct Change {
    const char* why;
    std::function<void(std::string&)> make;
  };
  const std::string good = ReadBytes(path);
  for (const Change& change :
       {Change{"changed_during_lookup", [](std::string& record) { ++record[8]; }},
        Change{"truncated_text", [](std::string& record) { record.resize(kHeader + 10); }},
        Change{"truncated_payload", [](std::string& record) { record.resize(2000); }}}) {
    WriteBytes(path, good);
    json kv = {
        {"folder", folder_.path()}, {"cold_max_tokens", 0}, {"continued_interval_tokens", 0}};
    OnFreshSide({GetParam(), kv}, [&](const Ask& ask) {
      ask(Complete({{"prompt", kGenesis}, {"max_tokens", 0}}));  // sees the record
      std::string record = good;
      change.make(record);
      WriteBytes(path, record);
      const json answer = ask(Complete({{"prompt", prompt}, {"max_tokens", 1}}));
      ASSERT_EQ(EventsOf(answer, "refuse").size(), 1) << answer["events"];
      EXPECT_EQ(EventsOf(answer, "refuse")[0]["why"], change.why);
      EXPECT_EQ(answer["usage"]["cached"], 0);
    });
  }
}

TEST_P(KvFiles, ARecordThatIsAskedForByName) {
  const fs::path path = Save(GetParam(), folder_);
  const json kv = {{"folder", folder_.path()}};
  const auto restore = [&](const std::string& key, const std::string& prompt, const char* lane) {
    const json answer =
        Answers({GetParam(), kv},
                {{{"do", "restore"}, {"key", key}, {"prompt", prompt}, {"lane", lane}}})[0];
    return answer["restored"].is_null() ? answer["events"].at(0)["why"]
                                        : answer["restored"]["from"];
  };
  const std::string key = path.stem().string(), psalm = kPsalm;
  EXPECT_EQ(restore(key, psalm + " Yea,", "serial"), "disk");
  EXPECT_EQ(restore(key, psalm.substr(0, 40), "serial"), "longer_than_prompt");
  EXPECT_EQ(restore(key, std::string(300, 'x'), "serial"), "prefix_mismatch");
  EXPECT_EQ(restore(key, psalm, "continuous"), "not_strict_prefix");
  EXPECT_EQ(restore(std::string(40, '0'), psalm, "serial"), "no_record");
}

// The same shapes and another weight: only the identity tells.
TEST_P(KvFiles, AnotherModelOfTheSameShapes) {
  const Folder other;
  for (const auto& entry : fs::directory_iterator(ModelDirectory())) {
    fs::copy(entry.path(), other.path() / entry.path().filename());
  }
  std::string weights = ReadBytes(other.path() / "model.safetensors");
  weights.back() = static_cast<char>(weights.back() ^ 1);
  WriteBytes(other.path() / "model.safetensors", weights);
  const json marked = {{"fingerprint", true}};
  Save(GetParam(), folder_, marked);
  EXPECT_EQ(ReadBytes(folder_.Only())[6], 64);
  const std::string prompt = kPsalm + " Yea,";
  // A footer that is there is looked at, whether it is asked for or not.
  for (const json& knobs : {marked, json::object()}) {
    const json answer = Load(GetParam(), folder_, prompt, knobs, other.path());
    EXPECT_EQ(EventsOf(answer, "refuse").at(0)["why"], "identity_mismatch");
    EXPECT_EQ(answer["usage"]["cached"], 0);
  }
  EXPECT_GT(Load(GetParam(), folder_, prompt, marked)["usage"]["cached"], 16);
}

// What is no file is not opened: nobody ever writes into this pipe.
TEST_P(KvFiles, APipeInTheRecordsPlaceIsNotWaitedFor) {
  const fs::path path = Save(GetParam(), folder_);
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(Load(GetParam(), folder_, kPsalm + " Yea,")["usage"]["cached"], 0);
}

// 4 GiB that are not there: the record is known, and nothing of them is read or allocated.
TEST_P(KvFiles, ASparsePayloadIsNeverRead) {
  const fs::path path = Save(GetParam(), folder_);
  std::string record = ReadBytes(path);
  const std::uint64_t payload = std::uint64_t{4} << 30;
  std::memcpy(record.data() + 40, &payload, sizeof(payload));
  WriteBytes(path, record);
  fs::resize_file(path, kHeader + TextBytes(record) + payload);
  const auto read = [] {
    std::ifstream io("/proc/self/io");
    std::string name;
    std::uint64_t bytes = 0;
    io >> name >> bytes;
    return bytes;
  };
  const std::uint64_t before = read();
  const json answer = Load(GetParam(), folder_, kPsalm + " Yea,", {{"budget_bytes", 2 * payload}});
  EXPECT_EQ(EventsOf(answer, "refuse").at(0)["why"], "trailing_bytes");
  // The model itself is 4 MB, read three times.
  EXPECT_LT(read() - before, std::uint64_t{64} << 20);
}

TEST_P(KvFiles, OtherKvTypeIsRefused) {
  Save(GetParam(), folder_);
  const json kv = {{"folder", folder_.path()}};
  const json answer = Answers({.library = GetParam(), .kv = kv, .dtype = "bf16"},
                              {Complete({{"prompt", kPsalm + " Yea,"}, {"max_tokens", 1}})})[0];
  EXPECT_EQ(EventsOf(answer, "refuse").at(0)["why"], "other_kv_type");
}

TEST_P(KvFiles, NamesAreFortyDigitsAndTheirCaseDoesNotMatter) {
  const fs::path path = Save(GetParam(), folder_);
  std::string name = path.stem().string();
  std::transform(name.begin(), name.end(), name.begin(), ::toupper);
  fs::rename(path, folder_.path() / (name + ".kv"));
  WriteBytes(folder_.path() / "short.kv", "KVC");
  WriteBytes(folder_.path() / (std::string(40, '0') + ".KV"), "KVC");
  const json answer = Load(GetParam(), folder_, kPsalm + " Yea,");
  EXPECT_GT(answer["usage"]["cached"], 16);
  EXPECT_TRUE(EventsOf(answer, "refuse").empty());
}

TEST_P(KvFiles, ANameThatIsNotTheTextsIsNeverFound) {
  const fs::path path = Save(GetParam(), folder_);
  fs::rename(path, folder_.path() / (std::string(40, 'a') + ".kv"));
  const json answer = Load(GetParam(), folder_, kPsalm + " Yea,");
  EXPECT_EQ(answer["usage"]["cached"], 0);
}

}  // namespace
}  // namespace parity
