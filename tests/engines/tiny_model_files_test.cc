// Broken model files are explained.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class TinyModelFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "tiny_model_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    config_ = Read(ModelDirectory() + "/config.json");
    weights_ = Read(ModelDirectory() + "/model.safetensors");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // What `create` says of the model that config_ and weights_ are now.
  std::string Error(parity_status expected) {
    std::ofstream(folder_ + "/config.json") << config_;
    std::ofstream(folder_ + "/model.safetensors", std::ios::binary) << weights_;
    return CreateError(expected);
  }

  std::string CreateError(parity_status expected) {
    const std::string config = json{{"model", folder_}}.dump();
    parity_create_args args = {sizeof(parity_create_args)};
    args.rank_count = 1;
    args.config = config.c_str();
    parity_rank* rank = nullptr;
    const parity_engine_api& api = Api(kPaged);
    const parity_status status = api.create(&args, &rank);
    EXPECT_EQ(status, expected);
    if (status == PARITY_OK) api.destroy(rank);
    return status == PARITY_OK ? "" : api.last_error(nullptr);
  }

  // Replaces text of the same length in the header.
  void Patch(const std::string& from, const std::string& to) {
    ASSERT_EQ(from.size(), to.size());
    const std::size_t at = weights_.find(from);
    ASSERT_NE(at, std::string::npos);
    weights_.replace(at, from.size(), to);
  }

  std::string folder_, config_, weights_;
};

TEST_F(TinyModelFiles, WholeFilesLoad) { EXPECT_EQ(Error(PARITY_OK), ""); }

TEST_F(TinyModelFiles, DescribeNeedsNoWeights) {
  std::ofstream(folder_ + "/config.json") << config_;
  const char* text = nullptr;
  const std::string config = json{{"model", folder_}}.dump();
  EXPECT_EQ(Api(kPaged).describe(config.c_str(), &text), PARITY_OK);
  const json described = json::parse(text);
  EXPECT_EQ(described, json::parse(DescribeEngine(Api(kPaged), Config())));
  EXPECT_THAT(CreateError(PARITY_INVALID), HasSubstr("model.safetensors: cannot be opened"));
}

TEST_F(TinyModelFiles, TruncatedData) {
  weights_.resize(weights_.size() - 1);
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("(truncated?)"));
}

TEST_F(TinyModelFiles, TruncatedLength) {
  weights_.resize(5);
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("truncated, 5 bytes hold no header length"));
}

TEST_F(TinyModelFiles, HeaderBeyondTheFile) {
  const std::uint64_t length = 1ull << 60;
  std::memcpy(weights_.data(), &length, sizeof(length));
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("reaches beyond the file"));
}

TEST_F(TinyModelFiles, HeaderThatIsNoJson) {
  weights_[8] = '?';
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("header is not a JSON object"));
}

TEST_F(TinyModelFiles, UnknownDtype) {
  Patch("\"BF16\"", "\"BF15\"");
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("unknown dtype \"BF15\""));
}

TEST_F(TinyModelFiles, OtherDtype) {
  Patch("\"BF16\"", "\"I16\" ");
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("expected BF16"));
}

TEST_F(TinyModelFiles, SizesAreWholeNumbers) {
  Patch("[256]", "[2.5]");
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("expected dtype, shape and data_offsets"));
}

TEST_F(TinyModelFiles, MissingTensor) {
  Patch("model.norm.weight", "model.morn.weight");
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("no tensor model.norm.weight"));
}

TEST_F(TinyModelFiles, ShapesMustBeTheConfigs) {
  json config = json::parse(config_);
  config["vocab_size"] = 1000;
  config_ = config.dump();
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("expected BF16[1000,256]"));
}

TEST_F(TinyModelFiles, ConfigsMustBeComplete) {
  json config = json::parse(config_);
  config.erase("num_key_value_heads");
  config_ = config.dump();
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("num_key_value_heads is missing"));
  config_ = "{";
  EXPECT_THAT(Error(PARITY_FAILED), HasSubstr("is not a JSON object"));
}

TEST_F(TinyModelFiles, OtherArchitecturesAreDeclined) {
  json config = json::parse(config_);
  config["hidden_act"] = "gelu";
  config_ = config.dump();
  EXPECT_THAT(Error(PARITY_FAILED),
              HasSubstr("hidden_act is \"gelu\", this engine needs \"silu\""));
}

}  // namespace
}  // namespace parity
