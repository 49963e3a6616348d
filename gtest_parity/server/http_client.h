// A client of one HTTP server on this machine.
#ifndef GTEST_PARITY_SERVER_HTTP_CLIENT_H_
#define GTEST_PARITY_SERVER_HTTP_CLIENT_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace parity {

struct HttpReply {
  int status = 0;                              // 0: there was no answer, or not a whole one
  std::map<std::string, std::string> headers;  // names in lower case, the last of each
  std::string body;
  std::string error;       // why there was no answer: "no connection"
  bool timed_out = false;  // the time was over
  bool Succeeded() const { return status >= 200 && status < 300; }
};

// Each request has a connection of its own. No redirect is followed.
class HttpClient {
 public:
  // On 127.0.0.1. `seconds`: of each request, from its start to the last byte of its answer; 0: no
  // limit. Throws SetupError where this build has no HTTP client.
  HttpClient(int port, double seconds);

  HttpReply Get(const std::string& path) const;
  HttpReply Post(const std::string& path, const std::string& body,
                 const std::string& type = "application/json") const;

  // Hands over the answer's bytes as they come, and keeps none of them; the client hangs up where
  // that returns false.
  using Take = std::function<bool(std::string_view bytes)>;
  HttpReply PostStreamed(const std::string& path, const std::string& body, const Take& take) const;

 private:
  struct Call;
  HttpReply Send(const Call& call) const;

  int port_;
  double seconds_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_HTTP_CLIENT_H_
