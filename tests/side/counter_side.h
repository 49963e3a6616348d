// A side that is the counter of tests/fixtures_plugins, in one of its moods.
#ifndef GTEST_PARITY_TESTS_SIDE_COUNTER_SIDE_H_
#define GTEST_PARITY_TESTS_SIDE_COUNTER_SIDE_H_

#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/manifest/read_description.h"
#include "gtest_parity/side/engine_process.h"

namespace parity {

inline const TensorRef kDoubled = {Kind::kBuffer, "doubled", DType::kF32};
inline const TensorRef kTotal = {Kind::kState, "total", DType::kF32};

// What the counter does, where ("describe", "create", "double", "add") and on which rank.
struct Mood {
  std::string what;
  std::string at = "add";
  int rank = 0;
  int pause_ms = 0;  // before it acts
  nlohmann::json Config() const {
    return {{"at", at}, {"mood", what}, {"pause", pause_ms}, {"rank", rank}};
  }
};

inline SideOptions CounterSide(const Mood& mood = {}, std::uint32_t ranks = 1,
                               bool in_threads = true) {
  SideOptions side;
  side.name = "candidate";
  side.library = PARITY_FIXTURE_COUNTER;
  side.engine = "counter";
  side.config = mood.Config();
  side.ranks = ranks;
  side.in_threads = in_threads;
  side.description_json =
      nlohmann::json::parse(DescribeEngine(Plugin(PARITY_FIXTURE_COUNTER).Find("counter"), "{}"));
  side.description =
      ReadDescription(JsonSource("counter.json", side.description_json.dump(1)), ranks);
  side.deadline_seconds = 20;
  return side;
}

inline HostOptions CounterHost() { return {PARITY_HOST, {}, ""}; }

inline std::shared_ptr<const Step> CounterStep(std::vector<std::int32_t> tokens = {1, 2, 3}) {
  auto step = std::make_shared<Step>();
  step->program = "decode";
  step->run = "b1_edge/decode#3";
  step->sequences = {{0, 0, tokens.size(), {}}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    step->positions.push_back(static_cast<std::int32_t>(i));
  }
  step->tokens = std::move(tokens);
  return step;
}

// Stages and runs both ops, then asks for the state: `total` is instruction 3.
inline std::vector<Script> CounterScripts(std::uint32_t ranks = 1) {
  std::vector<Script> scripts(ranks);
  for (Script& script : scripts) {
    script.Reset();
    script.Stage(CounterStep());
    script.Run("decode", 0, 2);
    script.Bytes(kTotal, Source::Live());
  }
  return scripts;
}

inline std::vector<float> FloatsOf(const Result& result) {
  std::vector<float> values(result.bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), result.bytes.data(), result.bytes.size());
  return values;
}

// Whether a process exists that is more than a zombie.
inline bool Lives(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(stat)), {});
  const std::size_t end = text.rfind(')');
  return end != std::string::npos && text.size() > end + 2 && text[end + 2] != 'Z';
}

// Waits up to 10 s.
inline bool Eventually(const std::function<bool()>& happened) {
  for (int i = 0; i < 2000; ++i) {
    if (happened()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return happened();
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_SIDE_COUNTER_SIDE_H_
