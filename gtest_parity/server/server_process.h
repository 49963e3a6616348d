// One server of a side, from its start to its end.
#ifndef GTEST_PARITY_SERVER_SERVER_PROCESS_H_
#define GTEST_PARITY_SERVER_SERVER_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/file_descriptor.h"
#include "gtest_parity/server/config_file.h"
#include "gtest_parity/server/http_client.h"
#include "gtest_parity/server/resource_use.h"
#include "gtest_parity/server/server_spec.h"
#include "gtest_parity/side/host_log.h"
#include "gtest_parity/side/side.h"
#include "gtest_parity/side/warden_process.h"

namespace parity {

struct ServerOptions {
  std::string host_program;          // path of parity_host, which is the server's warden
  std::vector<std::string> wrapper;  // put before the command: {"strace", "-f"}; no deadlines then
  std::string log_path;              // where `log` is not declared; empty: only the tail is kept
  double deadline_seconds = 600;     // of each request of Client()
};

// How a server came to its end.
struct ServerEnd {
  std::string text;               // "exit status 0", "signal SIGKILL"
  bool by_itself = false;         // false: it was killed by the judge
  std::optional<int> status;      // of wait, where it ended by itself
  std::vector<std::string> left;  // what it had started and left running: "4711 python3"
};

// The process, in a process group and an environment of its own, its warden, and whatever they
// start: all are gone with this object, and with the judge, however that ends. Not for use from
// several threads but for Client(), port() and pid().
class ServerProcess {
 public:
  // Starts it. Throws SetupError: no such program or folder, a port that is taken.
  ServerProcess(ServerSpec spec, ServerOptions options);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Until GET of its `ready.path` succeeds. Throws SideFailure where it ends before (with its exit
  // status and last lines) or does not in `ready.seconds`, and then kills it; SetupError where
  // another process answers on its port.
  void WaitUntilReady();

  int port() const { return port_; }  // of 127.0.0.1
  pid_t pid() const { return pid_; }  // the command's; 0 where it never came to run
  const ServerSpec& spec() const { return spec_; }
  // The command as it was run.
  const std::vector<std::string>& command() const { return command_; }

  // Its own limit is `deadline_seconds`.
  HttpClient Client() const;
  // The JSON object at `counters.path`; nothing where it has none there (404). Throws SideFailure.
  std::optional<nlohmann::json> Counters();

  // Whether it runs: false once it ended, even before anybody asked.
  bool alive();
  // To it alone, not to what it started.
  void Signal(int signal);
  // Waits that long at most; how it ended, if it has.
  const ServerEnd* WaitForEnd(double seconds);
  // As its operator would: `stop.signal`, and SIGKILL for all that is left after `stop.seconds`.
  const ServerEnd& Stop();
  // Kills it with all that it started.
  const ServerEnd& Kill();

  // The failure to throw for a request without an answer: that it ended, and how; else `reply`'s
  // error. `request`: "POST /v1/completions".
  SideFailure FailureOf(const HttpReply& reply, const std::string& request);

  // Of it and all that it started.
  ResourceUse Resources() const;
  // The command, its SHA-256, process and port.
  std::string provenance() const;
  // The command's file, and the files of code that it and all that it started have mapped, system
  // libraries left out.
  std::vector<std::string> MappedObjects() const;
  // The last lines that it printed; all of them once it ended.
  std::string OutputTail() const;

 private:
  void Start();
  std::string Where() const;  // "the candidate's server"
  // Reads what the warden tells, for that long at most or until the server has ended.
  void Listen(int milliseconds);
  void TakeLine(const std::string& line);
  void CheckListener();
  void Check() const;
  void Finish();
  [[noreturn]] void FailUnready(const std::string& words);
  Death DeathBecause(Death::Cause cause, const std::string& what, const std::string& during) const;

  ServerSpec spec_;
  ServerOptions options_;
  int port_ = 0;
  std::unique_ptr<ConfigFile> config_file_;  // null: none is wanted
  std::vector<std::string> command_;
  HostLog log_;
  FileDescriptor report_, process_;  // what the warden tells; the server's pidfd
  std::string told_;                 // the report's last line, as far as it came
  std::unique_ptr<WardenProcess> warden_;
  pid_t pid_ = 0;
  int not_run_ = 0;  // errno of the command's start
  ServerEnd so_far_;
  std::optional<ServerEnd> end_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_SERVER_PROCESS_H_
