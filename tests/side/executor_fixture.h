// A rank of a fake engine and an executor on it.
#ifndef GTEST_PARITY_TESTS_SIDE_EXECUTOR_FIXTURE_H_
#define GTEST_PARITY_TESTS_SIDE_EXECUTOR_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/executor.h"
#include "tests/engine/fake_engine.h"

namespace parity {

inline const TensorRef kX = {Kind::kBuffer, "x", DType::kF32};
inline const TensorRef kY = {Kind::kBuffer, "y", DType::kI32};
inline const TensorRef kK = {Kind::kState, "state.k", DType::kF32};
inline const TensorRef kTokens = {Kind::kBuffer, "tokens", DType::kI32};

class ExecutorTest : public testing::Test {
 protected:
  ExecutorTest()
      : chunk_(CreateSharedMemory("parity_test", kChunkBytes)),
        pages_({chunk_.get()}, true),
        rank_(engine_.api(), engine_.args()),
        executor_(rank_, pages_, watched_, progress_) {
    engine_.Set<float>("x", {1, 2, 3, 4});
    engine_.Set<std::int32_t>("y", {10, 20, 30, 40});
    engine_.Set<float>("state.k", std::vector<float>(64, 0.5f));
    engine_.Set<std::int32_t>("tokens", {7});
  }

  Results Run(const Script& script) { return executor_.Execute(script.instructions()); }
  // The words of the EngineError that the script ends with; empty if it ends well.
  std::string ErrorOf(const Script& script) {
    try {
      Run(script);
    } catch (const EngineError& error) {
      EXPECT_EQ(error.status(), PARITY_FAILED);
      return error.what();
    }
    return "";
  }

  FakeEngine engine_;
  FileDescriptor chunk_;
  PageStore pages_;
  std::vector<WatchedTensor> watched_ = {{kX}, {kY}, {kK}, {kTokens, true}};
  RankProgress progress_;
  Rank rank_;
  Executor executor_;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_SIDE_EXECUTOR_FIXTURE_H_
