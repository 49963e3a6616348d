#include "gtest_parity/side/engine_process.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gtest_parity/side/memory_limit.h"
#include "gtest_parity/side/watch.h"
#include "gtest_parity/side/wire.h"
#include "gtest_parity/side/wire_json.h"

namespace parity {

EngineProcess::EngineProcess(SideOptions side, HostOptions host)
    : side_(std::move(side)), host_(std::move(host)) {
  if (side_.ranks == 0 || side_.ranks > kMaxRanks) {
    throw SetupError(std::to_string(side_.ranks) + " ranks, expected 1 to " +
                     std::to_string(kMaxRanks));
  }
  side_.chunks.resize(side_.ranks);
  if (side_.memory_limit_bytes == 0) side_.memory_limit_bytes = DefaultMemoryLimit();
  progress_memory_ = CreateSharedMemory("parity_progress", kProgressBytes);
  progress_mapping_ = Mapping(progress_memory_.get(), kProgressBytes, true);
  const std::uint64_t meeting_bytes = Meeting::BytesFor(side_.ranks);
  collective_memory_ = CreateSharedMemory("parity_collective", meeting_bytes);
  collective_mapping_ = Mapping(collective_memory_.get(), meeting_bytes, true);
  meeting_.emplace(collective_mapping_.data(), side_.ranks);
  Start();
  try {
    Load();
  } catch (...) {
    EndHosts();
    throw;
  }
}

void EngineProcess::Start() {
  const std::uint32_t ranks_of_each = side_.in_threads ? side_.ranks : 1;
  for (std::uint32_t first = 0; first < side_.ranks; first += ranks_of_each) {
    hosts_.push_back(std::make_unique<HostProcess>(side_, host_, first, ranks_of_each));
  }
  alive_ = true;
}

void EngineProcess::Greet() {
  const Deadline deadline = DeadlineFromNow();
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    try {
      if (!hosts_[i]->Greet(side_.memory_limit_bytes, deadline)) OnNoAnswer({});
    } catch (const SocketError& error) {
      OnGone(i, {}, error.what());
    }
  }
}

void EngineProcess::Load() {
  Greet();
  const json open = {{"do", "open"},
                     {"library", side_.library},
                     {"engine", side_.engine},
                     {"config", side_.config.dump()}};
  json create = {{"do", "create"}, {"all", side_.ranks}};
  try {
    for (const json& opened : AskAll(open)) {
      CheckDescription(side_, opened.at("description").get<std::string>());
      CheckTraits(side_, Taken<std::uint32_t>(opened.at("traits")));
    }
    SendMemory();
    std::vector<json> rendezvous(hosts_.size());
    rendezvous[0] = {{"do", "rendezvous"}};
    create["rendezvous"] = Ask(rendezvous, {})[0].at("bytes");
  } catch (const json::exception& error) {
    OnNonsense(0, {}, std::string("its answer is not understood: ") + error.what());
  }
  create["watched"] = ToWire(WatchedTensors(side_.description));
  AskAll(create);
}

// What every host maps: progress, the collectives' memory, and the recording of its own ranks.
void EngineProcess::SendMemory() {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    HostProcess& host = *hosts_[i];
    json request = {{"do", "memory"},          {"first", host.first_rank()},
                    {"all", side_.ranks},      {"records", side_.records},
                    {"chunks", json::array()}, {"gpus", json::array()}};
    std::vector<int> fds = {progress_memory_.get(), collective_memory_.get()};
    for (const int rank : RanksOf(i)) {
      const auto at = static_cast<std::size_t>(rank);
      json of_rank = json::array();
      for (const ChunkHandle& chunk : side_.chunks[at]) {
        of_rank.push_back({chunk.gpu_bytes, json::binary(chunk.ipc)});
        if (chunk.ipc.empty()) fds.push_back(chunk.fd);
      }
      request["chunks"].push_back(std::move(of_rank));
      request["gpus"].push_back(side_.gpus.empty() ? "" : side_.gpus[at]);
    }
    Send(i, request, {});
    try {
      for (std::size_t from = 0; from < fds.size(); from += Socket::kMaxDescriptors) {
        const std::size_t count = std::min(Socket::kMaxDescriptors, fds.size() - from);
        const auto begin = fds.begin() + static_cast<std::ptrdiff_t>(from);
        host.socket().SendDescriptors({begin, begin + static_cast<std::ptrdiff_t>(count)});
      }
    } catch (const SocketError& error) {
      OnGone(i, {}, error.what());
    }
  }
}

std::vector<Results> EngineProcess::Run(const std::vector<Script>& scripts) {
  if (scripts.size() != side_.ranks) {
    throw std::invalid_argument(std::to_string(scripts.size()) + " scripts for " +
                                std::to_string(side_.ranks) + " ranks");
  }
  std::vector<json> requests;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    json wire = json::array();
    for (const int rank : RanksOf(i)) {
      wire.push_back(ToWire(scripts[static_cast<std::size_t>(rank)].instructions()));
    }
    requests.push_back({{"do", "run"}, {"scripts", std::move(wire)}});
  }
  const std::vector<json> replies = Ask(requests, scripts);
  std::vector<Results> results;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    try {
      for (const json& rank : replies[i].at("results")) results.push_back(ResultsFromWire(rank));
      const std::size_t end = hosts_[i]->first_rank() + hosts_[i]->ranks();
      if (results.size() != end) throw std::invalid_argument("results of other ranks");
      for (const int rank : RanksOf(i)) {
        const auto at = static_cast<std::size_t>(rank);
        if (results[at].size() != scripts[at].instructions().size()) {
          throw std::invalid_argument("results for other instructions");
        }
      }
    } catch (const std::exception& error) {
      OnNonsense(i, scripts, std::string("its answer is not understood: ") + error.what());
    }
  }
  return results;
}

std::vector<int> EngineProcess::RanksOf(std::size_t host) const {
  std::vector<int> ranks;
  for (std::uint32_t i = 0; i < hosts_[host]->ranks(); ++i) {
    ranks.push_back(static_cast<int>(hosts_[host]->first_rank() + i));
  }
  return ranks;
}

std::vector<int> EngineProcess::AllRanks() const {
  std::vector<int> ranks(side_.ranks);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = static_cast<int>(rank);
  return ranks;
}

std::vector<pid_t> EngineProcess::pids() const {
  std::vector<pid_t> pids;
  for (const auto& host : hosts_) pids.push_back(host->pid());
  return pids;
}

std::string EngineProcess::provenance() const {
  std::string text = side_.name + ": " + side_.engine + " of " + side_.library +
                     (hosts_.size() == 1 ? " in process" : " in processes");
  for (const pid_t pid : pids()) text += " " + std::to_string(pid);
  return text;
}

std::vector<std::string> EngineProcess::MappedObjects() const {
  std::vector<std::string> all;
  for (const pid_t pid : pids()) {
    const std::vector<std::string> objects = MappedObjectsOf(pid);
    all.insert(all.end(), objects.begin(), objects.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string EngineProcess::OutputTail() const {
  if (hosts_.size() == 1) return hosts_[0]->OutputTail();
  std::string tails;
  for (const auto& host : hosts_) {
    const std::string tail = host->OutputTail();
    if (tail.empty()) continue;
    tails += "[rank " + std::to_string(host->first_rank()) + "]\n" + tail;
    if (!tails.ends_with('\n')) tails += '\n';
  }
  return tails;
}

}  // namespace parity
