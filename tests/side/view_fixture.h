// A fake engine with views: a fused bf16 qkv that is seen as parts, and a cache that only the
// engine can show.
#ifndef GTEST_PARITY_TESTS_SIDE_VIEW_FIXTURE_H_
#define GTEST_PARITY_TESTS_SIDE_VIEW_FIXTURE_H_

#include <algorithm>
#include <cstring>
#include <memory>

#include "tests/side/executor_fixture.h"

namespace parity {

inline Dim Fixed(int extent) { return {std::to_string(extent), ""}; }
inline const Dim kRowsDim = {"rows", ""};
inline const Dim kTokensDim = {"kv_tokens", ""};

// qkv bf16 [rows, 3, 2]: q f32 [rows, 2] is head 0, k bf16 [2, rows] head 1 with its axes swapped;
// nobody sees head 2. state.k f32 [4, 2] holds its step's tokens from the last row up, as the
// engine shows: state.k f32 [kv_tokens, 2].
inline std::vector<WatchedTensor> ViewedTensors() {
  WatchedTensor qkv{
      {Kind::kBuffer, "qkv", DType::kBF16}, false, false, {kRowsDim, Fixed(3), Fixed(2)}, {}};
  qkv.views.push_back(
      {"q", DType::kF32, {kRowsDim, Fixed(2)}, false, Slice{1, Fixed(0), Fixed(1)}, {}});
  qkv.views.push_back(
      {"k", DType::kBF16, {Fixed(2), kRowsDim}, false, Slice{1, Fixed(1), Fixed(1)}, {2, 1, 0}});
  WatchedTensor cache{kK, false, false, {Fixed(4), Fixed(2)}, {}};
  cache.views.push_back({"state.k", DType::kF32, {kTokensDim, Fixed(2)}, true, std::nullopt, {}});
  return {{kX}, qkv, cache};
}

inline const TensorRef kQ = {Kind::kBuffer, "q", DType::kF32};
inline const TensorRef kTurnedK = {Kind::kBuffer, "k", DType::kBF16};
inline const TensorRef kCache = {Kind::kState, "state.k", DType::kF32};

inline std::uint16_t Bf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<std::uint16_t>(bits >> 16);
}

class ViewTest : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 2, kHeld = 3;

  ViewTest()
      : chunk_(CreateSharedMemory("parity_test", kChunkBytes)),
        pages_({chunk_.get()}, true),
        rank_(engine_.api(), engine_.args()),
        executor_(std::make_unique<Executor>(rank_, pages_, watched_, progress_)) {
    engine_.OfferViews();
    engine_.Set<float>("x", {1, 2, 3, 4});
    std::vector<std::uint16_t> qkv;
    for (int i = 0; i < 12; ++i) qkv.push_back(Bf16(static_cast<float>(i)));
    engine_.Set<std::uint16_t>("qkv", qkv);
    engine_.Set<float>("state.k", {0, 1, 2, 3, 4, 5, 6, 7});
    engine_.on_export = [this](const std::string&, std::uint8_t* out, std::uint64_t bytes) {
      EXPECT_EQ(bytes, kHeld * 8);
      for (std::size_t i = 0; i < kHeld; ++i) std::memcpy(out + i * 8, Row(i), 8);
      return PARITY_OK;
    };
    engine_.on_import = [this](const std::string&, const std::uint8_t* in, std::uint64_t) {
      for (std::size_t i = 0; i < kHeld; ++i) std::memcpy(Row(i), in + i * 8, 8);
      return PARITY_OK;
    };
    Stage();
  }

  float* Row(std::size_t token) { return engine_.At<float>("state.k") + (3 - token) * 2; }

  // One sequence with a token before the step and two in it.
  void Stage() {
    auto step = std::make_shared<Step>();
    step->program = "decode";
    step->tokens = {1, 2};
    step->positions = {1, 2};
    step->sequences = {{0, 1, kRows, {}}};
    Script script;
    script.Stage(step);
    Run(script);
  }

  Results Run(const Script& script) { return executor_->Execute(script.instructions()); }

  template <typename T>
  std::vector<T> Shown(const TensorRef& view) {
    Script script;
    script.Bytes(view, Source::Live());
    const std::vector<std::uint8_t> bytes = Run(script)[0].bytes;
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  std::string Proof(const TensorRef& view) {
    Script script;
    script.Prove(view);
    return Run(script)[0].words;
  }

  std::string ErrorOf(const Script& script) {
    try {
      Run(script);
    } catch (const EngineError& error) {
      return error.what();
    }
    return "";
  }

  FakeEngine engine_;
  FileDescriptor chunk_;
  PageStore pages_;
  std::vector<WatchedTensor> watched_ = ViewedTensors();
  RankProgress progress_;
  Rank rank_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_SIDE_VIEW_FIXTURE_H_
