// An RPC server of ggml with the CPU as its device, on a free port of loopback, which is the first
// line of its output. It ends with its parent.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml-rpc.h"

namespace {

// Between finding it and listening on it another program may take it; the parent then sees a server
// that is gone.
int FreePort() {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool bound = server >= 0 &&
                     bind(server, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
                     getsockname(server, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (server >= 0) close(server);
  return bound ? ntohs(address.sin_port) : -1;
}

// Versions differ in what they are told of the device.
template <typename Function>
int Serve(Function* serve, const char* endpoint) {
  constexpr std::size_t kThreads = 1;
  const auto memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  if constexpr (std::is_invocable_v<Function*, const char*, const char*, std::size_t, std::size_t,
                                    ggml_backend_dev_t*>) {
    ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    serve(endpoint, nullptr, kThreads, 1, &device);
  } else {
    const ggml_backend_t cpu = ggml_backend_cpu_init();
    ggml_backend_cpu_set_n_threads(cpu, static_cast<int>(kThreads));
    if constexpr (std::is_invocable_v<Function*, ggml_backend_t, const char*, const char*,
                                      std::size_t, std::size_t>) {
      serve(cpu, endpoint, nullptr, memory, memory);
    } else {
      serve(cpu, endpoint, memory, memory);
    }
  }
  return 1;  // it returns where it cannot listen
}

}  // namespace

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) return 1;  // the parent was faster
  ggml_backend_load_all_from_path(PARITY_LLAMA_LIBRARY_FOLDER);
  const int port = FreePort();
  if (port < 0) return 1;
  std::printf("%d\n", port);
  std::fflush(stdout);
  // Nobody reads on: what the server has to say goes where errors go.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return Serve(&ggml_backend_rpc_start_server, ("127.0.0.1:" + std::to_string(port)).c_str());
}
