#include "gtest_parity/server/http_client.h"

#include <httplib.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <chrono>

namespace parity {
namespace {

using Clock = std::chrono::steady_clock;

// cpp-httplib writes to a server that hangs up without MSG_NOSIGNAL.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once = {0, 0};
    if (sigismember(&before_, SIGPIPE) == 0) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
};

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string WordsOf(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "no connection";
    case httplib::Error::Write:
      return "the connection broke off while the request was sent";
    case httplib::Error::Read:
      return "the connection broke off before the answer was whole";
    default:
      return "no answer: " + httplib::to_string(error);
  }
}

void SetTimeouts(httplib::Client& client, double seconds) {
  // A wait without end is one of a year: the library has no other word for it. It waits in whole
  // milliseconds: rounded down, an answer that is late would be told as a connection that broke.
  const auto limit = std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds > 0 ? seconds : 365.0 * 24 * 3600));
  client.set_connection_timeout(limit);
  client.set_read_timeout(limit);
  client.set_write_timeout(limit);
}

}  // namespace

struct HttpClient::Call {
  const char* method;
  const std::string& path;
  std::string body, type;
  Take take;
};

HttpClient::HttpClient(int port, double seconds) : port_(port), seconds_(seconds) {}

HttpReply HttpClient::Send(const Call& call) const {
  const WithoutPipeSignal quiet;
  const Clock::time_point begin = Clock::now();
  const auto is_over = [&] {
    return seconds_ > 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= seconds_;
  };
  httplib::Client client("127.0.0.1", port_);
  SetTimeouts(client, seconds_);
  client.set_tcp_nodelay(true);
  HttpReply reply;
  bool hung_up = false;
  httplib::Request request;
  request.method = call.method;
  request.path = call.path;
  request.body = call.body;
  if (!call.type.empty()) request.set_header("Content-Type", call.type);
  request.response_handler = [&](const httplib::Response& response) {
    reply.status = response.status;
    for (const auto& [name, value] : response.headers) reply.headers[LowerCase(name)] = value;
    return true;
  };
  request.content_receiver = [&](const char* data, std::size_t bytes, std::uint64_t,
                                 std::uint64_t) {
    if (is_over()) return false;
    if (call.take) return !(hung_up = !call.take({data, bytes}));
    reply.body.append(data, bytes);
    return true;
  };
  const httplib::Result result = client.send(request);
  if (result || hung_up) return reply;
  reply.status = 0;
  reply.timed_out = is_over();
  reply.error = reply.timed_out ? "no answer in time" : WordsOf(result.error());
  return reply;
}

HttpReply HttpClient::Get(const std::string& path) const { return Send({"GET", path, "", "", {}}); }

HttpReply HttpClient::Post(const std::string& path, const std::string& body,
                           const std::string& type) const {
  return Send({"POST", path, body, type, {}});
}

HttpReply HttpClient::PostStreamed(const std::string& path, const std::string& body,
                                   const Take& take) const {
  return Send({"POST", path, body, "application/json", take});
}

}  // namespace parity
