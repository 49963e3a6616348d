// A side in a process of its own: the engine host.
#ifndef GTEST_PARITY_SIDE_ENGINE_PROCESS_H_
#define GTEST_PARITY_SIDE_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/side/host_log.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/side.h"
#include "gtest_parity/side/socket.h"

namespace parity {

struct HostOptions {
  std::string program;               // path of parity_host
  std::vector<std::string> wrapper;  // put before it: {"gdb", "--args"}; suspends deadlines
  std::string log_path;              // empty: only the tail is kept
};

// Owns the host process: it is killed, with all it started, and reaped when this object goes.
class EngineProcess : public Side {
 public:
  // Starts the host, loads the engine on every rank and compares its description with the
  // checked-in one. Throws SetupError, or SideFailure when the engine itself fails.
  EngineProcess(SideOptions side, HostOptions host);
  ~EngineProcess() override;

  std::vector<Results> Run(const std::vector<Script>& scripts) override;
  bool alive() const override { return alive_; }
  bool is_evidence() const override { return true; }
  std::string provenance() const override;
  std::vector<std::string> MappedObjects() const override { return MappedObjectsOf(pid_); }
  std::string OutputTail() const override { return log_.Tail(); }
  pid_t pid() const { return pid_; }

 private:
  void Start();
  void Load();
  nlohmann::json Ask(const nlohmann::json& request, const std::vector<Script>& scripts);
  bool ExitedWithoutAnswer(const std::optional<Socket::Clock::time_point>& deadline) const;
  bool Exited() const;
  [[noreturn]] void OnNoAnswer(const std::vector<Script>& scripts);
  // The socket is closed: the host has ended, or is about to.
  [[noreturn]] void OnGone(const std::vector<Script>& scripts, const std::string& words);
  // The host lives and its answer is none.
  [[noreturn]] void OnNonsense(const std::vector<Script>& scripts, const std::string& words);
  [[noreturn]] void OnEngineError(const nlohmann::json& errors, const std::vector<Script>& scripts);
  std::vector<int> Suspects() const;
  Death DeathOf(Death::Cause cause, std::string what, const std::vector<Script>& scripts) const;
  int Reap();

  SideOptions side_;
  HostOptions host_;
  HostLog log_;
  FileDescriptor progress_memory_;
  Mapping progress_mapping_;
  std::optional<Socket> socket_;
  FileDescriptor exited_;  // readable once the host's process ended
  pid_t pid_ = -1;
  bool alive_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_ENGINE_PROCESS_H_
