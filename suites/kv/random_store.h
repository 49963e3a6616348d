// Stores that are drawn at random, so that their rules are met at every edge.
#ifndef GTEST_PARITY_SUITES_KV_RANDOM_STORE_H_
#define GTEST_PARITY_SUITES_KV_RANDOM_STORE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace parity::kv {

// Draws the same on every machine: of the standard library only the engine is used, whose numbers
// the standard fixes.
class RandomStore {
 public:
  explicit RandomStore(std::uint64_t seed) : random_(seed) {}

  // In [least, most].
  std::int64_t Whole(std::int64_t least, std::int64_t most);
  // Mostly small, sometimes near a limit of 31 bits.
  std::int64_t Count();
  bool Flag() { return Whole(0, 1) == 1; }

  nlohmann::json Knobs();
  // Texts share beginnings, so that some are prefixes of others and of the prompt.
  nlohmann::json Record();
  nlohmann::json Records();
  nlohmann::json Asker();
  nlohmann::json Markers();

 private:
  std::string Text();

  std::mt19937_64 random_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_RANDOM_STORE_H_
