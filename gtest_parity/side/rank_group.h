// All ranks of one engine in this process, each on its own thread.
#ifndef GTEST_PARITY_SIDE_RANK_GROUP_H_
#define GTEST_PARITY_SIDE_RANK_GROUP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/engine/collective.h"
#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/side/executor.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/script.h"

namespace parity {

// An engine call of one rank that did not return PARITY_OK.
struct RankError {
  std::uint32_t rank = 0;
  parity_status status = PARITY_FAILED;
  std::string words;
  std::uint32_t instruction = 0;  // 1 + index in the script, 0: while it was created
  std::uint64_t op = 0;           // the engine's progress word
};

// The rank that this thread runs, -1: none.
int CurrentRank();

class RankGroup {
 public:
  // Loads the plugin. Throws EngineError.
  RankGroup(const std::string& library, const std::string& engine, std::string config);
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  std::string Describe() const { return DescribeEngine(api_, config_); }

  // Makes every rank, once; `pages` has one store per rank and `progress` one entry per rank. Ranks
  // whose `create` fails are reported, and the group can only be destroyed then.
  std::vector<RankError> Create(std::vector<PageStore> pages, std::vector<WatchedTensor> watched,
                                RankProgress* progress);

  // Runs scripts[r] on rank r, all at once. When a rank fails, collectives of the others are
  // cancelled and only the ranks that failed by themselves are reported.
  std::vector<RankError> Run(const std::vector<std::vector<Instruction>>& scripts,
                             std::vector<Results>& results);

 private:
  class Worker;
  std::vector<RankError> OnEveryRank(const std::function<void(std::uint32_t)>& work);

  Plugin plugin_;
  const parity_engine_api& api_;
  std::string config_;
  std::vector<WatchedTensor> watched_;
  std::vector<PageStore> pages_;
  RankProgress* progress_ = nullptr;
  std::unique_ptr<ThreadCollective> collective_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANK_GROUP_H_
