// Asks one server all that a session has for it.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PLAYER_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PLAYER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/server/server_process.h"
#include "suites/wire/campaign/known.h"
#include "suites/wire/campaign/server_watch.h"
#include "suites/wire/campaign/session_record.h"
#include "suites/wire/campaign/sessions.h"

namespace parity::wire {

// Starts a server that is ready. Throws SetupError, SideFailure.
using StartServer = std::function<std::unique_ptr<ServerProcess>()>;

class SessionPlayer {
 public:
  // All outlive it.
  SessionPlayer(const Probes& probes, std::size_t side, const PlannedSession& session,
                StartServer start);

  // A server that dies, or lives on without answering, is told at the place where it did, and
  // another is started for the rest, up to three times. Throws SetupError, and SideFailure where
  // the first start fails.
  SessionRecord Play();

  // Of the server that ran last.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::string& provenance() const { return provenance_; }
  const std::string& output() const { return output_; }

 private:
  void Start();
  void PlayPlace(const Place& place);
  void PlayAsks(const Place& place);
  void Measure(const Place& place);
  AskContext Context() const;
  void Keep(const Place& place, std::vector<PlannedAsk> asks,
            std::vector<std::vector<ConnectionEvent>> events);
  // Whether some client of the place gave up waiting.
  bool WaitedInVain(const Place& place) const;
  // Whether the server answers what it was ready by.
  bool Answers() const;
  void TellDeath(const Place& place, const std::string& text);
  void End(bool asked_already);

  const Probes& probes_;
  std::size_t side_;
  const PlannedSession& session_;
  StartServer start_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Known> known_;
  SessionRecord record_;
  ServerWatch watch_;
  std::size_t deaths_ = 0;
  std::vector<std::string> objects_;
  std::string provenance_, output_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PLAYER_H_
