// RPC servers of the engine's own, each a child process with the CPU as its device: several devices
// on a machine that has none.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_RPC_SERVERS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_RPC_SERVERS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parity::llama_cpp {

class RpcServers {
 public:
  // Starts so many on loopback and waits until they listen. Throws EngineError.
  explicit RpcServers(std::uint32_t count);
  ~RpcServers();
  RpcServers(const RpcServers&) = delete;
  RpcServers& operator=(const RpcServers&) = delete;

  const std::vector<std::string>& endpoints() const { return endpoints_; }

 private:
  void Start();
  void End();

  std::vector<std::string> endpoints_;  // HOST:PORT
  std::vector<pid_t> children_;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_RPC_SERVERS_H_
