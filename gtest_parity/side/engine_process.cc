#include "gtest_parity/side/engine_process.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/side/blame.h"
#include "gtest_parity/side/memory_limit.h"
#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/watch.h"
#include "gtest_parity/side/wire.h"

namespace parity {
namespace {

// How often the memory of hosts is looked at.
constexpr int kWatchMilliseconds = 250;

std::string Seconds(double seconds) {
  std::ostringstream text;
  text << seconds;
  return text.str() + " s";
}

}  // namespace

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
      CheckTraits(side_, opened.at("traits").get<std::uint32_t>());
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
    json request = {{"do", "memory"},
                    {"first", host.first_rank()},
                    {"all", side_.ranks},
                    {"records", side_.records},
                    {"chunks", json::array()}};
    std::vector<int> fds = {progress_memory_.get(), collective_memory_.get()};
    for (const int rank : RanksOf(i)) {
      const std::vector<int>& chunks = side_.chunks[static_cast<std::size_t>(rank)];
      request["chunks"].push_back(chunks.size());
      fds.insert(fds.end(), chunks.begin(), chunks.end());
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

std::vector<nlohmann::json> EngineProcess::AskAll(const json& request) {
  return Ask(std::vector<json>(hosts_.size(), request), {});
}

std::vector<nlohmann::json> EngineProcess::Ask(const std::vector<json>& requests,
                                               const std::vector<Script>& scripts) {
  if (!alive_) throw std::logic_error("the engine host is gone");
  meeting_->Renew();
  const Deadline deadline = DeadlineFromNow();
  std::vector<bool> pending;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    pending.push_back(!requests[i].is_null());
    if (pending[i]) Send(i, requests[i], scripts);
  }
  std::vector<json> replies(hosts_.size());
  while (std::find(pending.begin(), pending.end(), true) != pending.end()) {
    const std::optional<std::size_t> host = WaitForAny(pending, deadline, scripts);
    if (!host) OnNoAnswer(scripts);
    replies[*host] = Receive(*host, deadline, scripts);
    pending[*host] = false;
  }
  ThrowOnErrors(replies, scripts);
  return replies;
}

EngineProcess::Deadline EngineProcess::DeadlineFromNow() const {
  if (!host_.wrapper.empty()) return std::nullopt;
  return Socket::Clock::now() + std::chrono::duration_cast<Socket::Clock::duration>(
                                    std::chrono::duration<double>(side_.deadline_seconds));
}

void EngineProcess::Send(std::size_t host, const json& request,
                         const std::vector<Script>& scripts) {
  try {
    hosts_[host]->socket().Send(request);
  } catch (const SocketError& error) {
    OnGone(host, scripts, error.what());
  }
}

// The end of a process counts only where it has said nothing: a child that it left behind may hold
// its end of the socket open.
std::optional<std::size_t> EngineProcess::WaitForAny(const std::vector<bool>& pending,
                                                     const Deadline& deadline,
                                                     const std::vector<Script>& scripts) {
  const std::size_t count = hosts_.size();
  std::vector<pollfd> waiting(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    waiting[i] = {pending[i] ? hosts_[i]->socket().fd() : -1, POLLIN, 0};
    waiting[count + i] = {hosts_[i]->exited_fd(), POLLIN, 0};
  }
  for (;;) {
    const int left = Socket::MillisecondsTo(deadline);
    const bool last = left >= 0 && left <= kWatchMilliseconds;
    const int ready = poll(waiting.data(), waiting.size(), last ? left : kWatchMilliseconds);
    for (std::size_t i = 0; ready > 0 && i < waiting.size(); ++i) {
      if (waiting[i].revents != 0) return i % count;
    }
    if (ready == 0 && last) return std::nullopt;
    CheckMemory(scripts);
  }
}

void EngineProcess::CheckMemory(const std::vector<Script>& scripts) {
  if (side_.memory_limit_bytes == 0) return;
  std::vector<std::uint64_t> used;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    // The recording is the harness's.
    std::uint64_t recording = 0;
    for (const int rank : RanksOf(i)) {
      recording += AllocatedBytes(side_.chunks[static_cast<std::size_t>(rank)]);
    }
    const std::uint64_t resident = ResidentBelow(hosts_[i]->warden());
    used.push_back(resident - std::min(resident, recording));
    all += used.back();
  }
  if (all <= side_.memory_limit_bytes) return;
  const auto most =
      static_cast<std::size_t>(std::max_element(used.begin(), used.end()) - used.begin());
  OnNonsense(most, scripts,
             "used more than its memory_limit of " + BytesText(side_.memory_limit_bytes));
}

nlohmann::json EngineProcess::Receive(std::size_t host, const Deadline& deadline,
                                      const std::vector<Script>& scripts) {
  std::optional<json> reply;
  pollfd waiting{hosts_[host]->socket().fd(), POLLIN, 0};
  if (poll(&waiting, 1, 0) == 0) OnGone(host, scripts, "its process ended");
  try {
    reply = hosts_[host]->socket().Receive(deadline);
  } catch (const SocketClosed& error) {
    OnGone(host, scripts, error.what());
  } catch (const SocketError& error) {
    OnNonsense(host, scripts, error.what());
  }
  if (!reply && hosts_[host]->Exited()) OnGone(host, scripts, "its process ended");
  if (!reply) OnNoAnswer(scripts);
  if (!reply->is_object()) OnNonsense(host, scripts, "its answer is not an object");
  return std::move(*reply);
}

void EngineProcess::ThrowOnErrors(const std::vector<json>& replies,
                                  const std::vector<Script>& scripts) {
  for (const json& reply : replies) {
    if (!reply.is_object() || !reply.contains("setup")) continue;
    const json& setup = reply["setup"];
    throw SetupError("the " + side_.name + " cannot be loaded: " +
                     (setup.is_string() ? setup.get<std::string>() : setup.dump()));
  }
  std::vector<RankError> errors = OnlyToBlame(ErrorsIn(replies, scripts), *meeting_);
  for (RankError& error : errors) {
    if (error.status != PARITY_OUT_OF_MEMORY || side_.memory_limit_bytes == 0) continue;
    error.words += " (memory_limit " + BytesText(side_.memory_limit_bytes) + ")";
  }
  if (!errors.empty()) throw SideFailure(DeathOf(errors, side_.description, scripts));
}

std::vector<RankError> EngineProcess::ErrorsIn(const std::vector<json>& replies,
                                               const std::vector<Script>& scripts) {
  std::vector<RankError> errors;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i].is_object() || !replies[i].contains("errors")) continue;
    const std::vector<int> ranks = RanksOf(i);
    try {
      for (const json& wire : replies[i]["errors"]) {
        const RankError error = {wire.at(0).get<std::uint32_t>(),
                                 static_cast<parity_status>(wire.at(1).get<int>()),
                                 wire.at(2).get<std::string>(), wire.at(3).get<std::uint32_t>(),
                                 wire.at(4).get<std::uint64_t>()};
        if (std::find(ranks.begin(), ranks.end(), static_cast<int>(error.rank)) == ranks.end()) {
          throw std::invalid_argument("an error of rank " + std::to_string(error.rank));
        }
        errors.push_back(error);
      }
      if (replies[i]["errors"].empty()) throw std::invalid_argument("an error of no rank");
    } catch (const std::exception& error) {
      OnNonsense(i, scripts, std::string("its error is not understood: ") + error.what());
    }
  }
  return errors;
}

void EngineProcess::OnNoAnswer(const std::vector<Script>& scripts) {
  std::string words = "no answer within " + Seconds(side_.deadline_seconds);
  std::vector<int> stopped;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const std::vector<int> ranks = RanksOf(i);
    if (hosts_[i]->IsStopped()) stopped.insert(stopped.end(), ranks.begin(), ranks.end());
  }
  if (!stopped.empty()) words += ", its process is stopped by a signal";
  EndWith(DeathOf(Death::Cause::kHang, words, side_.description, scripts,
                  Suspects(progress(), stopped.empty() ? AllRanks() : stopped), progress()));
}

void EngineProcess::OnGone(std::size_t host, const std::vector<Script>& scripts,
                           const std::string& words) {
  const std::optional<HostProcess::Ending> ending = hosts_[host]->WaitForEnd();
  if (!ending) OnNonsense(host, scripts, words);
  // A rank that another's end took along is not to blame.
  std::vector<int> dead;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const std::vector<int> ranks = RanksOf(i);
    if (i == host || hosts_[i]->Exited()) dead.insert(dead.end(), ranks.begin(), ranks.end());
  }
  EndWith(DeathOf(ending->signalled ? Death::Cause::kSignal : Death::Cause::kExit, ending->text,
                  side_.description, scripts, Suspects(progress(), dead), progress()));
}

void EngineProcess::OnNonsense(std::size_t host, const std::vector<Script>& scripts,
                               const std::string& words) {
  EndWith(DeathOf(Death::Cause::kFailed, words, side_.description, scripts,
                  Suspects(progress(), RanksOf(host)), progress()));
}

void EngineProcess::EndWith(const Death& death) {
  EndHosts();
  throw SideFailure(death);
}

void EngineProcess::EndHosts() {
  if (!alive_) return;
  alive_ = false;
  const bool busy = std::any_of(progress(), progress() + side_.ranks,
                                [](const RankProgress& rank) { return rank.instruction != 0; });
  for (const auto& host : hosts_) busy ? host->Kill() : host->Dismiss();
  for (const auto& host : hosts_) host->End();
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
