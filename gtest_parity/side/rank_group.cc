#include "gtest_parity/side/rank_group.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "gtest_parity/engine/error.h"

namespace parity {
namespace {

thread_local int current_rank = -1;

}  // namespace

int CurrentRank() { return current_rank; }

// A thread that runs one task at a time.
class RankGroup::Worker {
 public:
  explicit Worker(int rank) : thread_([this, rank] { Loop(rank); }) {}

  ~Worker() {
    Start(nullptr);
    thread_.join();
  }

  // An empty task ends the thread.
  void Start(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    task_ = std::move(task);
    busy_ = true;
    changed_.notify_all();
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
  }

 private:
  void Loop(int rank) {
    current_rank = rank;
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return busy_; });
      if (!task_) return;
      lock.unlock();
      task_();
      lock.lock();
      busy_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  bool busy_ = false;
  std::thread thread_;
};

RankGroup::RankGroup(const std::string& library, const std::string& engine, std::string config)
    : plugin_(library), api_(plugin_.Find(engine)), config_(std::move(config)) {
  if (api_.traits != 0) {
    throw EngineError(PARITY_INVALID, "engine '" + engine +
                                          "' is PARITY_SEQUENTIAL or PARITY_TAP_ONLY, which this "
                                          "version cannot drive");
  }
}

RankGroup::~RankGroup() {
  if (workers_.empty()) return;
  // A rank is destroyed on the thread that made it.
  OnEveryRank([this](std::uint32_t rank) {
    executors_[rank].reset();
    ranks_[rank].reset();
  });
}

std::vector<RankError> RankGroup::Create(std::vector<PageStore> pages,
                                         std::vector<WatchedTensor> watched,
                                         RankProgress* progress) {
  const auto count = static_cast<std::uint32_t>(pages.size());
  pages_ = std::move(pages);
  watched_ = std::move(watched);
  progress_ = progress;
  std::vector<std::atomic<std::uint32_t>*> waiting;
  for (std::uint32_t rank = 0; rank < count; ++rank) waiting.push_back(&progress[rank].waiting);
  collective_ = std::make_unique<ThreadCollective>(count, std::move(waiting));
  ranks_.resize(count);
  executors_.resize(count);
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    workers_.push_back(std::make_unique<Worker>(static_cast<int>(rank)));
  }
  const std::vector<std::uint8_t> rendezvous = Rendezvous(api_, config_);
  return OnEveryRank([&](std::uint32_t rank) {
    parity_create_args args{};
    args.struct_size = sizeof(args);
    args.rank = rank;
    args.rank_count = count;
    args.device = -1;
    args.config = config_.c_str();
    args.rendezvous = rendezvous.data();
    args.rendezvous_bytes = rendezvous.size();
    args.collective = collective_->ForRank(rank);
    args.progress = &progress_[rank].op;
    progress_[rank].instruction = kLoading;
    ranks_[rank] = std::make_unique<Rank>(api_, args);
    executors_[rank] =
        std::make_unique<Executor>(*ranks_[rank], pages_[rank], watched_, progress_[rank]);
    progress_[rank].instruction = 0;
  });
}

std::vector<RankError> RankGroup::Run(const std::vector<std::vector<Instruction>>& scripts,
                                      std::vector<Results>& results) {
  if (scripts.size() != ranks_.size()) {
    throw std::invalid_argument(std::to_string(scripts.size()) + " scripts for " +
                                std::to_string(ranks_.size()) + " ranks");
  }
  results.assign(ranks_.size(), {});
  return OnEveryRank(
      [&](std::uint32_t rank) { results[rank] = executors_[rank]->Execute(scripts[rank]); });
}

std::vector<RankError> RankGroup::OnEveryRank(const std::function<void(std::uint32_t)>& work) {
  std::mutex mutex;
  std::vector<RankError> errors;
  const auto report = [&](std::uint32_t rank, parity_status status, const char* words) {
    {
      std::lock_guard lock(mutex);
      RankProgress& progress = progress_[rank];
      const std::uint32_t at = progress.instruction.exchange(0);
      errors.push_back({rank, status, words, at == kLoading ? 0 : at, progress.op});
      progress.op = 0;
    }
    collective_->Cancel();
  };
  for (std::uint32_t rank = 0; rank < workers_.size(); ++rank) {
    workers_[rank]->Start([&, rank] {
      try {
        work(rank);
      } catch (const EngineError& error) {
        report(rank, error.status(), error.what());
      } catch (const std::exception& error) {
        report(rank, PARITY_FAILED, error.what());
      }
    });
  }
  for (const auto& worker : workers_) worker->Wait();
  collective_->Renew();
  // Those that were only cancelled are not to blame, unless nobody else is.
  const auto to_blame = [](const RankError& error) { return error.status != PARITY_CANCELLED; };
  if (std::any_of(errors.begin(), errors.end(), to_blame)) {
    std::erase_if(errors, [&](const RankError& error) { return !to_blame(error); });
  }
  return errors;
}

}  // namespace parity
