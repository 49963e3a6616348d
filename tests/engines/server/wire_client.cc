#include "tests/engines/server/wire_client.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace parity {
namespace {

using json = nlohmann::ordered_json;

constexpr std::chrono::seconds kPatience{20};

// What chunks say; `whole` becomes whether the last one is there.
std::string Joined(std::string_view coded, bool& whole) {
  std::string body;
  for (;;) {
    const std::size_t line = coded.find("\r\n");
    if (line == std::string_view::npos) return body;
    const std::size_t size = std::stoul(std::string(coded.substr(0, line)), nullptr, 16);
    whole = size == 0;
    coded.remove_prefix(line + 2);
    if (whole || coded.size() < size + 2) return body;
    body += coded.substr(0, size);
    coded.remove_prefix(size + 2);
  }
}

Reply ReplyIn(const std::string& received) {
  Reply reply;
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  std::istringstream lines(received.substr(0, end));
  std::string line;
  std::getline(lines, line);
  reply.status = std::stoi(line.substr(line.find(' ')));
  while (std::getline(lines, line)) {
    std::string name = line.substr(0, line.find(':'));
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
    reply.headers[name] = line.substr(value, line.find('\r') - value);
  }
  const std::string coded = received.substr(end + 4);
  if (reply.headers.contains("transfer-encoding")) {
    reply.body = Joined(coded, reply.whole);
    return reply;
  }
  reply.body = coded;
  reply.whole = reply.headers["content-length"] == std::to_string(coded.size());
  return reply;
}

}  // namespace

RunningServer::RunningServer(const ServerSetup& setup) {
  const json config = {{"model", ModelDirectory()}, {"kv", setup.kv}};
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error("pipe failed");
  child_ = fork();
  if (child_ == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    execl(PARITY_TINY_SERVER, PARITY_TINY_SERVER, "--plugin", setup.library.path, "--engine",
          setup.library.engine, "--config", config.dump().c_str(), "--port", "0", "--server",
          setup.server.dump().c_str(), nullptr);
    _exit(127);
  }
  close(pipe_ends[1]);
  std::FILE* out = fdopen(pipe_ends[0], "r");
  const int read = std::fscanf(out, "listening on 127.0.0.1:%d", &port_);
  std::fclose(out);
  if (read != 1) throw std::runtime_error("the server did not say where it listens");
}

RunningServer::~RunningServer() {
  if (child_ > 0) Stop();
}

void RunningServer::Signal() const { kill(child_, SIGTERM); }

int RunningServer::Wait() {
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  return status;
}

Connection::Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience = {kPatience.count(), 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(socket_);
    throw std::runtime_error("nobody listens at port " + std::to_string(port));
  }
}

Connection::~Connection() { close(socket_); }

void Connection::Send(const std::string& bytes) const {
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t sent = send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the server takes no more");
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Connection::EndSending() const { shutdown(socket_, SHUT_WR); }

bool Connection::ReadSome() {
  char bytes[4096];
  const ssize_t size = recv(socket_, bytes, sizeof(bytes), 0);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    throw std::runtime_error("nothing came for 20 s behind: " + received_);
  }
  if (size > 0) received_.append(bytes, static_cast<std::size_t>(size));
  return size > 0;
}

bool Connection::ReadUntil(const std::string& text) {
  while (received_.find(text) == std::string::npos) {
    if (!ReadSome()) return false;
  }
  return true;
}

Reply Connection::ReadAll() {
  while (ReadSome()) {
  }
  return ReplyIn(received_);
}

std::string RequestText(const std::string& method, const std::string& path, const std::string& body,
                        const std::string& more_headers) {
  std::string text = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more_headers;
  if (method == "POST" && more_headers.find("Transfer-Encoding") == std::string::npos) {
    text +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return text + "\r\n" + body;
}

Reply Fetch(int port, const std::string& method, const std::string& path, const std::string& body) {
  Connection connection(port);
  connection.Send(RequestText(method, path, body));
  return connection.ReadAll();
}

Reply Post(int port, const std::string& path, const json& body) {
  return Fetch(port, "POST", path, body.dump());
}

json Stats(int port) { return Fetch(port, "GET", "/v1/stats").json().at("server"); }

json StatsWhen(int port, const std::function<bool(const json&)>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  json stats = Stats(port);
  while (!holds(stats) && std::chrono::steady_clock::now() < end) stats = Stats(port);
  return stats;
}

std::vector<Event> EventsIn(const std::string& body) {
  std::vector<Event> events;
  std::istringstream lines(body);
  Event event;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      events.push_back(event);
      event = {};
    } else if (line.starts_with("event: ")) {
      event.name = line.substr(7);
    } else if (line.starts_with("data: ")) {
      event.data = line.substr(6);
    } else {
      throw std::runtime_error("no line of an event: " + line);
    }
  }
  return events;
}

}  // namespace parity
