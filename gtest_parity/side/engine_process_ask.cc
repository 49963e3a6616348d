// How a side's hosts are asked, and what comes of one that does not answer.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/side/blame.h"
#include "gtest_parity/side/engine_process.h"
#include "gtest_parity/side/memory_limit.h"
#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/wire_json.h"

namespace parity {
namespace {

// How often the memory of hosts is looked at.
constexpr int kWatchMilliseconds = 250;

parity_status StatusFromWire(const nlohmann::json& in) {
  const int status = Taken<int>(in);
  // An engine may return what it likes; what has no name is a failure without a meaning.
  return status > PARITY_OK && status <= PARITY_DEVICE_LOST ? static_cast<parity_status>(status)
                                                            : PARITY_FAILED;
}

std::string Seconds(double seconds) {
  std::ostringstream text;
  text << seconds;
  return text.str() + " s";
}

}  // namespace

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
      for (const ChunkHandle& chunk : side_.chunks[static_cast<std::size_t>(rank)]) {
        if (chunk.gpu_bytes == 0) recording += AllocatedBytes({chunk.fd});
      }
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
  if (errors.empty()) return;
  const Death death = DeathOf(errors, side_.description, scripts);
  // Nothing can be asked of that process's device any more.
  if (death.cause == Death::Cause::kDeviceLost) EndWith(death);
  throw SideFailure(death);
}

std::vector<RankError> EngineProcess::ErrorsIn(const std::vector<json>& replies,
                                               const std::vector<Script>& scripts) {
  std::vector<RankError> errors;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i].is_object() || !replies[i].contains("errors")) continue;
    const std::vector<int> ranks = RanksOf(i);
    try {
      for (const json& wire : replies[i]["errors"]) {
        const RankError error = {Taken<std::uint32_t>(wire.at(0)), StatusFromWire(wire.at(1)),
                                 wire.at(2).get<std::string>(), Taken<std::uint32_t>(wire.at(3)),
                                 Taken<std::uint64_t>(wire.at(4))};
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

}  // namespace parity
