// The engine host: one side's engine, driven by the judge over the socket on descriptor 3.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/rank_group.h"
#include "gtest_parity/side/socket.h"
#include "gtest_parity/side/wire.h"

namespace parity {
namespace {

using nlohmann::json;

RankProgress* progress_of_all = nullptr;

void BlameThisThread() {
  if (progress_of_all != nullptr && CurrentRank() >= 0) progress_of_all[CurrentRank()].died = 1;
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

class Host {
 public:
  explicit Host(Socket socket) : socket_(std::move(socket)) {}

  // Returns when the judge has closed its end.
  void Serve() {
    for (;;) {
      const std::optional<json> request = socket_.Receive();
      const std::string what = request->at("do").get<std::string>();
      json reply;
      try {
        if (what == "open")
          reply = Open(*request);
        else if (what == "create")
          reply = Create(*request);
        else
          reply = Run(*request);
      } catch (const EngineError& error) {
        // Before there is a plugin, it is the judge who asked for the wrong thing.
        reply = group_ == nullptr
                    ? json{{"setup", error.what()}}
                    : json{{"errors", {{0, static_cast<int>(error.status()), error.what(), 0, 0}}}};
      }
      socket_.Send(reply);
      if (reply.contains("description")) ReceiveMemory();
    }
  }

 private:
  json Open(const json& request) {
    request.at("chunks").get_to(chunk_counts_);
    records_ = request.at("records").get<bool>();
    group_ = new RankGroup(request.at("library").get<std::string>(),
                           request.at("engine").get<std::string>(),
                           request.at("config").get<std::string>());
    return {{"description", group_->Describe()}};
  }

  void ReceiveMemory() {
    progress_ = Mapping(socket_.ReceiveDescriptors().at(0).get(), kProgressBytes, true);
    progress_of_all = reinterpret_cast<RankProgress*>(progress_.data());
    for (std::size_t rank = 0; rank < chunk_counts_.size(); ++rank) {
      std::vector<int> fds;
      std::vector<FileDescriptor> chunks;
      while (chunks.size() < chunk_counts_[rank]) {
        for (FileDescriptor& chunk : socket_.ReceiveDescriptors()) {
          fds.push_back(chunk.get());
          chunks.push_back(std::move(chunk));
        }
      }
      pages_.emplace_back(fds, records_);
    }
  }

  json Create(const json& request) {
    std::vector<WatchedTensor> watched;
    for (const json& tensor : request.at("watched")) {
      watched.push_back(
          {{static_cast<Kind>(tensor.at(0).get<int>()), tensor.at(1).get<std::string>(),
            static_cast<DType>(tensor.at(2).get<int>())},
           tensor.at(3).get<bool>()});
    }
    return Reply(group_->Create(std::move(pages_), std::move(watched), progress_of_all));
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
  std::vector<std::size_t> chunk_counts_;
  bool records_ = false;
  Mapping progress_;
  std::vector<PageStore> pages_;
  // Never freed: the host leaves by _exit, engines and their threads as they are.
  RankGroup* group_ = nullptr;
};

}  // namespace
}  // namespace parity

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  parity::CatchEnds();
  constexpr int kJudge = 3;
  // What an engine starts has no business with the judge.
  fcntl(kJudge, F_SETFD, FD_CLOEXEC);
  try {
    parity::Host(parity::Socket(parity::FileDescriptor(kJudge))).Serve();
  } catch (const parity::SocketError&) {
    _exit(0);
  } catch (const std::exception& error) {
    const std::string words = std::string("engine host: ") + error.what() + "\n";
    if (write(STDERR_FILENO, words.data(), words.size()) < 0) _exit(125);
    _exit(124);
  }
}
