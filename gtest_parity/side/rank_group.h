// The ranks of an engine that live in this process, each on its own thread.
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
#include "gtest_parity/engine/meeting.h"
#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/side/executor.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/rank_error.h"
#include "gtest_parity/side/script.h"

namespace parity {

// The rank that this thread runs, -1: none.
int CurrentRank();

// What ranks are made of.
struct RankSetup {
  std::uint32_t first = 0;       // the first rank in this process
  std::vector<PageStore> pages;  // one store for each of those in this process
  std::vector<WatchedTensor> watched;
  std::vector<std::uint8_t> rendezvous;  // what rank 0's process produced
  Meeting meeting;                       // of all ranks, wherever they live
  RankProgress* progress = nullptr;      // of all ranks
};

class RankGroup {
 public:
  // Loads the plugin. Throws EngineError.
  RankGroup(const std::string& library, const std::string& engine, std::string config);
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  std::string Describe() const { return DescribeEngine(api_, config_); }
  std::vector<std::uint8_t> MakeRendezvous() const { return Rendezvous(api_, config_); }
  std::uint32_t traits() const { return api_.traits; }  // parity_trait bits

  // Makes every rank, once. Ranks whose `create` fails are reported, and the group can only be
  // destroyed then.
  std::vector<RankError> Create(RankSetup setup);

  // Runs scripts[i] on rank first + i, all at once, and reports every rank that did not come
  // through: collectives of the others are cancelled then, see OnlyToBlame. The meeting has to be
  // renewed before each call, where no rank in any process is inside one.
  std::vector<RankError> Run(const std::vector<std::vector<Instruction>>& scripts,
                             std::vector<Results>& results);

 private:
  class Worker;
  void CreateRank(std::uint32_t local);
  void CancelOthers(std::uint32_t local);
  std::string WhyLost(std::uint32_t local);
  std::vector<RankError> OnEveryRank(const std::function<void(std::uint32_t)>& work);

  Plugin plugin_;
  const parity_engine_api& api_;
  std::string config_;
  std::optional<RankSetup> setup_;
  // By index from setup_->first.
  std::vector<std::unique_ptr<Collective>> collectives_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANK_GROUP_H_
