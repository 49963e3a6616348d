#include "gtest_parity/side/rank_group.h"

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "gtest_parity/engine/error.h"

namespace parity {
namespace {

thread_local int current_rank = -1;

parity_status StatusOf(const DeviceError& error) {
  switch (error.kind()) {
    case DeviceError::Kind::kLost:
      return PARITY_DEVICE_LOST;
    case DeviceError::Kind::kOutOfMemory:
      return PARITY_OUT_OF_MEMORY;
    case DeviceError::Kind::kFailed:
      break;
  }
  return PARITY_FAILED;
}

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
    : plugin_(library), api_(plugin_.Find(engine)), config_(std::move(config)) {}

RankGroup::~RankGroup() {
  if (workers_.empty()) return;
  setup_->meeting.Renew();
  // A rank is destroyed on the thread that made it.
  OnEveryRank([this](std::uint32_t local) {
    executors_[local].reset();
    ranks_[local].reset();
  });
}

std::vector<RankError> RankGroup::Create(RankSetup setup) {
  setup_ = std::move(setup);
  const auto here = static_cast<std::uint32_t>(setup_->pages.size());
  collectives_.resize(here);
  ranks_.resize(here);
  executors_.resize(here);
  for (std::uint32_t local = 0; local < here; ++local) {
    workers_.push_back(std::make_unique<Worker>(static_cast<int>(setup_->first + local)));
  }
  return OnEveryRank([this](std::uint32_t local) { CreateRank(local); });
}

void RankGroup::CreateRank(std::uint32_t local) {
  const std::uint32_t rank = setup_->first + local;
  RankProgress& progress = setup_->progress[rank];
  collectives_[local] = std::make_unique<Collective>(setup_->meeting, rank, &progress.waiting);
  parity_create_args args{};
  args.struct_size = sizeof(args);
  args.rank = rank;
  args.rank_count = setup_->meeting.rank_count();
  Device& device = setup_->pages[local].device();
  args.device = device.ordinal();
  args.config = config_.c_str();
  args.rendezvous = setup_->rendezvous.data();
  args.rendezvous_bytes = setup_->rendezvous.size();
  // Ranks that have devices make their own communicator.
  args.collective = device.ordinal() < 0 ? collectives_[local]->table() : nullptr;
  args.progress = &progress.op;
  progress.instruction = kLoading;
  ranks_[local] = std::make_unique<Rank>(api_, args);
  if (device.ordinal() >= 0 && ranks_[local]->HasStream()) {
    device.UseStream(ranks_[local]->Stream());
  }
  executors_[local] =
      std::make_unique<Executor>(*ranks_[local], setup_->pages[local], setup_->watched, progress);
  progress.instruction = 0;
}

std::vector<RankError> RankGroup::Run(const std::vector<std::vector<Instruction>>& scripts,
                                      std::vector<Results>& results) {
  if (scripts.size() != ranks_.size()) {
    throw std::invalid_argument(std::to_string(scripts.size()) + " scripts for " +
                                std::to_string(ranks_.size()) + " ranks");
  }
  results.assign(ranks_.size(), {});
  return OnEveryRank([&](std::uint32_t local) {
    try {
      results[local] = executors_[local]->Execute(scripts[local]);
    } catch (...) {
      CancelOthers(local);
      throw;
    }
  });
}

// Ranks with devices wait for one another in their own communicator, where the meeting does not
// reach them.
void RankGroup::CancelOthers(std::uint32_t local) {
  for (std::uint32_t other = 0; other < ranks_.size(); ++other) {
    const bool has_device = setup_->pages[other].device().ordinal() >= 0;
    if (other != local && has_device) ranks_[other]->Cancel();
  }
}

// Words where the device of a rank whose engine failed cannot be used any more, whatever the engine
// said.
std::string RankGroup::WhyLost(std::uint32_t local) {
  try {
    setup_->pages[local].device().Synchronize();
  } catch (const DeviceError& error) {
    if (error.kind() == DeviceError::Kind::kLost) return error.what();
  }
  return "";
}

std::vector<RankError> RankGroup::OnEveryRank(const std::function<void(std::uint32_t)>& work) {
  std::mutex mutex;
  std::vector<RankError> errors;
  const auto report = [&](std::uint32_t local, parity_status status, const char* words) {
    {
      std::lock_guard lock(mutex);
      const std::uint32_t rank = setup_->first + local;
      RankProgress& progress = setup_->progress[rank];
      const std::uint32_t at = progress.instruction.exchange(0);
      errors.push_back({rank, status, words, at == kLoading ? 0 : at, progress.op});
      progress.op = 0;
    }
    setup_->meeting.Cancel();
  };
  for (std::uint32_t local = 0; local < workers_.size(); ++local) {
    workers_[local]->Start([&, local] {
      try {
        work(local);
        setup_->meeting.Leave(setup_->first + local);
      } catch (const EngineError& error) {
        const std::string lost = WhyLost(local);
        report(local, lost.empty() ? error.status() : PARITY_DEVICE_LOST,
               (error.what() + (lost.empty() ? "" : "; " + lost)).c_str());
      } catch (const DeviceError& error) {
        report(local, StatusOf(error), error.what());
      } catch (const std::exception& error) {
        report(local, PARITY_FAILED, error.what());
      }
    });
  }
  for (const auto& worker : workers_) worker->Wait();
  return errors;
}

}  // namespace parity
