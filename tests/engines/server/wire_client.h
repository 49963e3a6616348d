// A client that sees every byte: parity_tiny_server as a child process, and connections to it.
#ifndef GTEST_PARITY_TESTS_ENGINES_SERVER_WIRE_CLIENT_H_
#define GTEST_PARITY_TESTS_ENGINES_SERVER_WIRE_CLIENT_H_

#include <sys/types.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/engines/tiny_driver.h"

namespace parity {

struct ServerSetup {
  TinyLibrary library = kPaged;
  nlohmann::ordered_json kv = nlohmann::ordered_json::object();
  nlohmann::ordered_json server = nlohmann::ordered_json::object();
};

// From its first line on.
class RunningServer {
 public:
  explicit RunningServer(const ServerSetup& setup);
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  int port() const { return port_; }
  void Signal() const;  // SIGTERM
  int Wait();           // its status
  int Stop() {
    Signal();
    return Wait();
  }

 private:
  pid_t child_ = -1;
  int port_ = 0;
};

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;  // by name in lower case
  std::string body;                            // without the coding of chunks
  bool whole = false;                          // as its length or last chunk says
  nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(body); }
};

class Connection {
 public:
  explicit Connection(int port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Send(const std::string& bytes) const;
  void EndSending() const;  // a half-close
  // Until `text` has come, or the other end has closed. Returns whether it has.
  bool ReadUntil(const std::string& text);
  Reply ReadAll();  // until the other end has closed
  const std::string& received() const { return received_; }

 private:
  bool ReadSome();
  int socket_;
  std::string received_;
};

std::string RequestText(const std::string& method, const std::string& path, const std::string& body,
                        const std::string& more_headers = "");
Reply Fetch(int port, const std::string& method, const std::string& path,
            const std::string& body = "");
Reply Post(int port, const std::string& path, const nlohmann::ordered_json& body);
nlohmann::ordered_json Stats(int port);  // what /v1/stats has under "server"
// Asks until `holds` of the stats, for 20 s at most. Returns the last ones.
nlohmann::ordered_json StatsWhen(int port,
                                 const std::function<bool(const nlohmann::ordered_json&)>& holds);

struct Event {
  std::string name;
  std::string data;
  nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(data); }
};
// Of a stream's body. Throws where it is none.
std::vector<Event> EventsIn(const std::string& body);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINES_SERVER_WIRE_CLIENT_H_
