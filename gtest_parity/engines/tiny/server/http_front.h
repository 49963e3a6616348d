// HTTP in front of a worker.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_

#include <httplib.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "gtest_parity/engines/tiny/server/worker.h"

namespace parity {

class HttpFront {
 public:
  HttpFront(Worker& worker, std::string model);

  // On 127.0.0.1; 0: any port that is free. Returns the port, or -1 if it cannot be had.
  int Bind(int port);
  // Serves until `Stop`.
  void Listen() { server_.listen_after_bind(); }
  // From any thread, once another has been sent to listen.
  void Stop();

 private:
  void Complete(const httplib::Request& request, httplib::Response& response, bool chat);

  Worker& worker_;
  std::string model_;
  std::atomic<std::uint64_t> answers_{0};
  httplib::Server server_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_HTTP_FRONT_H_
