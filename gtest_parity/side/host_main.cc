// The engine host: one side's engine, driven by the judge over the socket on descriptor 3.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/device/gpu_chunk.h"
#include "gtest_parity/device/gpus.h"
#include "gtest_parity/device/host_device.h"
#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/memory_limit.h"
#include "gtest_parity/side/rank_group.h"
#include "gtest_parity/side/socket.h"
#include "gtest_parity/side/warden.h"
#include "gtest_parity/side/wire.h"

namespace parity {
namespace {

using nlohmann::json;

RankProgress* progress_of_all = nullptr;

int only_rank = -1;  // the rank of this process, where it has one

// A thread of the engine's own is known for its rank only where there is no other.
void BlameThisThread() {
  const int rank = CurrentRank() >= 0 ? CurrentRank() : only_rank;
  if (progress_of_all == nullptr || rank < 0) return;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  progress_of_all[rank].died =
      static_cast<std::uint64_t>(now.tv_sec) * 1000000000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Leaves a note of who it was. The default action follows on return: a fault would repeat by
// itself, a signal that was sent would not.
void OnFatalSignal(int signal) {
  BlameThisThread();
  raise(signal);
}

void CatchEnds() {
  struct sigaction action {};
  action.sa_handler = OnFatalSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  // An engine that calls exit() takes no other code with it.
  on_exit(
      [](int status, void*) {
        BlameThisThread();
        _exit(status);
      },
      nullptr);
}

// Out of the way of numbers that an engine may take for its own.
constexpr int kLowestOwnDescriptor = 512;

FileDescriptor TakeSocket() {
  FileDescriptor socket(fcntl(kHostSocket, F_DUPFD_CLOEXEC, kLowestOwnDescriptor));
  // What an engine starts has no business with the judge.
  if (!socket.valid()) socket = FileDescriptor(fcntl(kHostSocket, F_DUPFD_CLOEXEC, 0));
  close(kHostSocket);
  return socket;
}

class Host {
 public:
  explicit Host(Socket socket) : socket_(std::move(socket)) {}

  // Before any of the engine's code is there.
  void Greet() {
    const json greeting = *socket_.Receive();
    const json& key = greeting.at("key");
    socket_.Seal({key.at(0).get<std::uint64_t>(), key.at(1).get<std::uint64_t>()},
                 Socket::End::kHost);
    LimitOwnMemory(greeting.at("memory_limit").get<std::uint64_t>());
    socket_.Send({{"pid", getpid()}});
  }

  // Returns when the judge has closed its end.
  void Serve() {
    for (;;) {
      const std::optional<json> request = socket_.Receive();
      const std::string what = request->at("do").get<std::string>();
      json reply;
      try {
        if (what == "open") {
          reply = Open(*request);
        } else if (what == "memory") {
          ReceiveMemory(*request);
          continue;
        } else if (what == "rendezvous") {
          reply = {{"bytes", json::binary(group_->MakeRendezvous())}};
        } else if (what == "create") {
          reply = Create(*request);
        } else {
          reply = Run(*request);
        }
      } catch (const EngineError& error) {
        // Before there is a plugin, it is the judge who asked for the wrong thing.
        reply = group_ == nullptr ? json{{"setup", error.what()}}
                                  : Reply({{first_, error.status(), error.what(), 0, 0}});
      }
      socket_.Send(reply);
    }
  }

 private:
  json Open(const json& request) {
    group_ = new RankGroup(request.at("library").get<std::string>(),
                           request.at("engine").get<std::string>(),
                           request.at("config").get<std::string>());
    return {{"description", group_->Describe()}, {"traits", group_->traits()}};
  }

  void ReceiveMemory(const json& request) {
    const json& chunks = request.at("chunks");
    request.at("first").get_to(first_);
    std::size_t count = 2;
    for (const json& of_rank : chunks) {
      for (const json& chunk : of_rank) count += chunk.at(1).get_binary().empty() ? 1 : 0;
    }
    std::vector<FileDescriptor> fds;
    while (fds.size() < count) {
      for (FileDescriptor& fd : socket_.ReceiveDescriptors()) fds.push_back(std::move(fd));
    }
    progress_ = Mapping(fds[0].get(), kProgressBytes, true);
    progress_of_all = reinterpret_cast<RankProgress*>(progress_.data());
    if (chunks.size() == 1) only_rank = static_cast<int>(first_);
    collective_ =
        Mapping(fds[1].get(), Meeting::BytesFor(request.at("all").get<std::uint32_t>()), true);
    try {
      MapRecording(request, fds);
    } catch (const DeviceError& error) {
      no_memory_ = error.what();
    }
  }

  void MapRecording(const json& request, const std::vector<FileDescriptor>& fds) {
    const auto records = request.at("records").get<bool>();
    std::size_t next = 2;
    for (std::size_t rank = 0; rank < request.at("chunks").size(); ++rank) {
      const auto gpu = request.at("gpus").at(rank).get<std::string>();
      std::shared_ptr<Device> device = std::make_shared<HostDevice>();
      if (!gpu.empty()) device = OpenGpu(gpu);
      std::vector<MappedChunk> mapped;
      for (const json& chunk : request.at("chunks").at(rank)) {
        ChunkHandle handle;
        chunk.at(0).get_to(handle.gpu_bytes);
        handle.ipc = chunk.at(1).get_binary();
        if (handle.ipc.empty()) handle.fd = fds.at(next++).get();
        mapped.push_back(handle.gpu_bytes == 0 ? MapChunk(handle.fd, records)
                                               : MapGpuChunk(device, handle, records));
      }
      pages_.emplace_back(std::move(device), std::move(mapped));
    }
  }

  json Create(const json& request) {
    if (!no_memory_.empty()) return {{"setup", no_memory_}};
    RankSetup setup = {
        .first = first_,
        .pages = std::move(pages_),
        .watched = WatchedFromWire(request.at("watched")),
        .rendezvous = request.at("rendezvous").get_binary(),
        .meeting = Meeting(collective_.data(), request.at("all").get<std::uint32_t>()),
        .progress = progress_of_all};
    return Reply(group_->Create(std::move(setup)));
  }

  json Run(const json& request) {
    std::vector<std::vector<Instruction>> scripts;
    for (const json& script : request.at("scripts")) scripts.push_back(ScriptFromWire(script));
    std::vector<Results> results;
    json reply = Reply(group_->Run(scripts, results));
    if (reply.contains("errors")) return reply;
    for (const Results& rank : results) reply["results"].push_back(ToWire(rank));
    return reply;
  }

  static json Reply(const std::vector<RankError>& errors) {
    json reply = json::object();
    for (const RankError& error : errors) {
      reply["errors"].push_back(
          {error.rank, static_cast<int>(error.status), error.words, error.instruction, error.op});
    }
    return reply;
  }

  Socket socket_;
  std::uint32_t first_ = 0;
  Mapping progress_, collective_;
  std::vector<PageStore> pages_;
  std::string no_memory_;  // why the recording's memory is not there
  // Never freed: the host leaves by _exit, engines and their threads as they are.
  RankGroup* group_ = nullptr;
};

}  // namespace
}  // namespace parity

int main(int argc, char** argv) {
  if (argc > 3 && std::string(argv[1]) == parity::kWardenFlag) {
    parity::RunWarden(std::atoi(argv[2]), argv + 3);
  }
  if (argc > 3 && std::string(argv[1]) == parity::kServerWardenFlag) {
    parity::RunServerWarden(std::atoi(argv[2]), argv + 3);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  parity::CatchEnds();
  const int log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, parity::kLowestOwnDescriptor);
  const auto leave = [log](const std::string& words) {
    const std::string line = "engine host: " + words + "\n";
    if (write(log, line.data(), line.size()) < 0) _exit(parity::kBrokenHost);
    _exit(parity::kBrokenHost);
  };
  try {
    parity::Host host{parity::Socket(parity::TakeSocket())};
    host.Greet();
    host.Serve();
  } catch (const parity::SocketClosed&) {
    _exit(0);
  } catch (const parity::SocketError& error) {
    leave(std::string("its socket to the judge was closed, read or written by something else: ") +
          error.what());
  } catch (const std::exception& error) {
    leave(error.what());
  }
}
