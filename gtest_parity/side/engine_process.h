// A side in processes of its own: engine hosts.
#ifndef GTEST_PARITY_SIDE_ENGINE_PROCESS_H_
#define GTEST_PARITY_SIDE_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/engine/meeting.h"
#include "gtest_parity/side/host_process.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/rank_error.h"
#include "gtest_parity/side/side.h"

namespace parity {

// One host with a thread per rank, or one host per rank (`SideOptions::in_threads`). When one of
// the hosts ends or does not answer, all of the side are ended.
class EngineProcess : public Side {
 public:
  // Starts the hosts, loads the engine on every rank and compares its description with the
  // checked-in one. Throws SetupError, or SideFailure when the engine itself fails.
  EngineProcess(SideOptions side, HostOptions host);
  ~EngineProcess() override { EndHosts(); }

  std::vector<Results> Run(const std::vector<Script>& scripts) override;
  bool alive() const override { return alive_; }
  bool is_evidence() const override { return true; }
  std::string provenance() const override;
  std::vector<std::string> MappedObjects() const override;
  std::string OutputTail() const override;
  std::vector<pid_t> pids() const override;

 private:
  using json = nlohmann::json;
  using Deadline = std::optional<Socket::Clock::time_point>;

  void Start();
  void Greet();
  void Load();
  void SendMemory();
  // Sends requests[i] to host i and waits for all answers. `scripts` is what they carry, for
  // telling where a rank was.
  std::vector<json> Ask(const std::vector<json>& requests, const std::vector<Script>& scripts);
  std::vector<json> AskAll(const json& request);
  void Send(std::size_t host, const json& request, const std::vector<Script>& scripts);
  // A host that said something or ended; none before the deadline.
  std::optional<std::size_t> WaitForAny(const std::vector<bool>& pending, const Deadline& deadline,
                                        const std::vector<Script>& scripts);
  void CheckMemory(const std::vector<Script>& scripts);
  Deadline DeadlineFromNow() const;
  json Receive(std::size_t host, const Deadline& deadline, const std::vector<Script>& scripts);
  void ThrowOnErrors(const std::vector<json>& replies, const std::vector<Script>& scripts);
  std::vector<RankError> ErrorsIn(const std::vector<json>& replies,
                                  const std::vector<Script>& scripts);

  // All end the side and throw SideFailure.
  [[noreturn]] void OnNoAnswer(const std::vector<Script>& scripts);
  // The host's socket is closed or its process ended.
  [[noreturn]] void OnGone(std::size_t host, const std::vector<Script>& scripts,
                           const std::string& words);
  // The host lives and its answer is none.
  [[noreturn]] void OnNonsense(std::size_t host, const std::vector<Script>& scripts,
                               const std::string& words);
  [[noreturn]] void EndWith(const Death& death);
  void EndHosts();

  const RankProgress* progress() const {
    return reinterpret_cast<const RankProgress*>(progress_mapping_.data());
  }
  std::vector<int> RanksOf(std::size_t host) const;
  std::vector<int> AllRanks() const;

  SideOptions side_;
  HostOptions host_;
  FileDescriptor progress_memory_, collective_memory_;
  Mapping progress_mapping_, collective_mapping_;
  std::optional<Meeting> meeting_;
  std::vector<std::unique_ptr<HostProcess>> hosts_;
  bool alive_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_ENGINE_PROCESS_H_
