#include "gtest_parity/engines/llama_cpp/rpc_servers.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

constexpr std::chrono::seconds kPatience{20};

// It lies beside this library.
std::filesystem::path ServerProgram() {
#ifdef PARITY_LLAMA_RPC_SERVER
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&ServerProgram), &info) == 0 || info.dli_fname == nullptr) {
    throw Failed("config.rpc_servers: the folder of this library is not known");
  }
  const auto program =
      std::filesystem::path(info.dli_fname).parent_path() / PARITY_LLAMA_RPC_SERVER;
  if (std::filesystem::exists(program)) return program;
  throw Failed("config.rpc_servers: no program " + program.string() +
               ", expected beside the plugin");
#else
  throw Unsupported(
      "config.rpc_servers: this llama.cpp has no ggml-rpc.h and libggml-rpc, expected one built "
      "with GGML_RPC");
#endif
}

// The server's first line is the port that it is about to listen on.
std::string ReadLine(int from) {
  std::string line;
  char c = 0;
  while (line.size() < 8 && read(from, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

std::uint16_t PortOf(const std::string& line) {
  const bool whole = !line.empty() && line.find_first_not_of("0123456789") == std::string::npos;
  if (whole) return static_cast<std::uint16_t>(std::stoul(line));
  throw Failed("an RPC server of config.rpc_servers told no port, but \"" + line + "\"");
}

bool Listens(std::uint16_t port) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool listens =
      connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(client);
  return listens;
}

}  // namespace

RpcServers::RpcServers(std::uint32_t count) {
  try {
    for (std::uint32_t i = 0; i < count; ++i) Start();
  } catch (...) {
    End();
    throw;
  }
}

RpcServers::~RpcServers() { End(); }

void RpcServers::Start() {
  const std::string program = ServerProgram().string();
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw Failed("config.rpc_servers: no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  std::string name = program;
  char* arguments[] = {name.data(), nullptr};
  pid_t child = 0;
  const int code = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (code != 0) {
    close(pipe_ends[0]);
    throw Failed("config.rpc_servers: cannot start " + program);
  }
  children_.push_back(child);
  const std::string told = ReadLine(pipe_ends[0]);
  close(pipe_ends[0]);
  const std::uint16_t port = PortOf(told);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!Listens(port)) {
    if (std::chrono::steady_clock::now() > until || waitpid(child, nullptr, WNOHANG) != 0) {
      throw Failed("config.rpc_servers: " + program + " does not listen on port " +
                   std::to_string(port));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  endpoints_.push_back("127.0.0.1:" + std::to_string(port));
}

void RpcServers::End() {
  for (const pid_t child : children_) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  children_.clear();
}

}  // namespace parity::llama_cpp
