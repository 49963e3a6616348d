// HTTP in front of a scheduler: routes, headers, streams.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "gtest_parity/engines/tiny/server/exchange.h"
#include "gtest_parity/engines/tiny/server/half_open_server.h"
#include "gtest_parity/engines/tiny/server/ledger.h"
#include "gtest_parity/engines/tiny/server/registry.h"
#include "gtest_parity/engines/tiny/server/scheduler.h"

namespace parity::tiny_server {

class HttpFront {
 public:
  struct Parts {
    Scheduler& scheduler;
    Registry& registry;
    Ledger& ledger;
    const ServerOptions& options;
    std::string model;
    bool has_banks;  // the engine has sessions for batches
  };
  explicit HttpFront(Parts parts);

  // On 127.0.0.1; 0: any port that is free. Returns the port, or -1 if it cannot be had.
  int Bind(int port);
  // Serves until `Stop`.
  void Listen() { server_.listen_after_bind(); }
  // From any thread, once another has been sent to listen. Streams that are over are sent to their
  // end: there must be no others.
  void Stop();

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  void SetLimits();
  void AddRoutes();
  void AddSurface(const char* path, Surface surface);
  Json ModelObject() const;
  void TellModel(const Request& request, Response& response) const;
  std::string Metrics() const;
  void TellStats(Response& response);
  void ExplainStatus(const Request& request, Response& response) const;
  void Generate(Surface surface, const Request& request, Response& response);
  std::unique_ptr<Exchange> Begin(Surface surface, const Request& request);
  std::uint64_t GoOn(Intent& intent, Needs& needs, bool& has_history);
  Route RouteFor(const Intent& intent, Needs needs) const;
  AnswerHead HeadOf(const Intent& intent);
  void SendWhole(Exchange& exchange, Response& response) const;
  void SendStream(std::shared_ptr<Exchange> exchange, Response& response);
  void SendError(Surface surface, const WireError& error, Response& response) const;

  Parts parts_;
  class Presence;  // of a stream

  std::atomic<std::uint64_t> answers_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t streams_ = 0;
  HalfOpenServer server_;
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_
