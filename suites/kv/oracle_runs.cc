#include <sys/resource.h>

#include <exception>
#include <filesystem>
#include <thread>

#include "gtest_parity/manifest/resolve.h"
#include "gtest_parity/side/side.h"
#include "suites/kv/examine.h"
#include "suites/kv/oracles.h"

namespace parity::kv {
namespace {

using nlohmann::json;

std::string NamesOf(const FolderState& files) {
  std::vector<std::string> names;
  for (const auto& [name, file] : files) names.push_back(name);
  return ListOf(names);
}

// The kernel ends the process, as by SIGKILL in the middle of a write, where one of its files would
// grow beyond half a record.
bool LimitFiles(const std::vector<int>& pids, std::uint64_t bytes) {
  const rlimit files = {bytes, bytes}, no_core = {0, 0};
  for (const int pid : pids) {
    if (prlimit(pid, RLIMIT_CORE, &no_core, nullptr) != 0) return false;
    if (prlimit(pid, RLIMIT_FSIZE, &files, nullptr) != 0) return false;
  }
  return !pids.empty();
}

}  // namespace

void OracleRuns::Run(std::string_view oracle, bool reference) {
  OracleOutcome outcome;
  try {
    if (oracle == "budget_below") outcome = Budget(reference, -1);
    if (oracle == "budget_at") outcome = Budget(reference, 0);
    if (oracle == "budget_above") outcome = Budget(reference, 1);
    if (oracle == "killed_writer") outcome = KilledWriter(reference);
    if (oracle == "two_processes") outcome = Together(reference, reference);
    // Of the reference alone there is nothing to ask: its own two processes stand for it.
    if (oracle == "two_engines") outcome = Together(true, reference);
  } catch (const SideFailure& failure) {
    outcome.Expect(false, failure.death().Text());
  } catch (const NotOffered&) {
    throw;
  } catch (const NotAskable& reason) {
    outcome.blocked = reason.what();
  } catch (const SetupError&) {
    throw;
  } catch (const std::runtime_error& error) {
    outcome.Expect(false, error.what());
  }
  (reference ? reference_ : candidate_)[std::string(oracle)] = std::move(outcome);
}

std::unique_ptr<Server> OracleRuns::Saver(bool reference, const json& more,
                                          const std::string& folder) {
  Phase phase = lane_.save;
  phase.config.merge_patch(more);
  return phases_.Start(phase, reference, folder);
}

void OracleRuns::AskAll(Server& server) {
  json answers = json::array();
  for (const json& request : lane_.save.requests) {
    answers.push_back(json::parse(server.Ask(Resolve(request, {{"save", answers}}))));
  }
}

// A record and its spare must fit, to the byte.
OracleOutcome OracleRuns::Budget(bool reference, std::int64_t beyond) {
  OracleOutcome outcome;
  const auto stored = [&](const json& more) {
    const TemporaryFolder folder("parity_kv");
    const auto server = Saver(reference, more, folder.path());
    AskAll(*server);
    server->Stop();
    phases_.Know(*server);
    return StateOf(folder.path());
  };
  const FolderState all = stored(json::object());
  if (all.size() != 1) {
    outcome.Expect(false, Got("files that " + lane_.name + " stores", all.size(), 1));
    return outcome;
  }
  const std::uint64_t bytes = all.begin()->second.bytes;
  const std::uint64_t least = bytes + (bytes * oracles_.spare_percent + 99) / 100;
  json more = json::object();
  more[json::json_pointer(oracles_.budget)] =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(least) + beyond);
  const std::uint64_t files = stored(more).size(), expected = beyond < 0 ? 0 : 1;
  outcome.Expect(files == expected,
                 Got("files with a budget of " + more[json::json_pointer(oracles_.budget)].dump() +
                         " for a record of " + std::to_string(bytes),
                     files, expected));
  outcome.facts = std::to_string(files) + " of a record of " + std::to_string(bytes);
  return outcome;
}

OracleOutcome OracleRuns::KilledWriter(bool reference) {
  OracleOutcome outcome;
  const TemporaryFolder folder("parity_kv");
  const auto save = [&](const json& more) {
    const auto server = Saver(reference, more, folder.path());
    AskAll(*server);
    server->Stop();
    phases_.Know(*server);
    return StateOf(folder.path());
  };
  const FolderState before = save(oracles_.in_the_way);
  if (before.size() != 1) {
    outcome.Expect(false, Got("files that " + lane_.name + " stores", before.size(), 1));
    return outcome;
  }
  const auto& [name, record] = *before.begin();
  const auto server = Saver(reference, json::object(), folder.path());
  AskAll(*server);
  if (!LimitFiles(server->pids(), record.bytes / 2)) {
    outcome.blocked = "its processes cannot be limited";
    return outcome;
  }
  try {
    server->Stop();
    outcome.blocked =
        "it lived where the kernel ends who writes more than half a record: it wrote "
        "none, or handles SIGXFSZ";
    return outcome;
  } catch (const SideFailure& failure) {
    outcome.Expect(failure.death().what.find("SIGXFSZ") != std::string::npos,
                   Got("the writer's end", failure.death().Text(), "signal SIGXFSZ"));
  }
  FolderState after = StateOf(folder.path());
  outcome.Expect(after.contains(name) && after.at(name).digest == record.digest,
                 name + ", which the killed process was to replace: got " +
                     (after.contains(name) ? "other bytes" : "nothing") + ", expected what it was");
  after.erase(name);
  outcome.left_behind = after.empty() ? "" : NamesOf(after);
  const FolderState again = save(json::object());
  outcome.Expect(again.contains(name) && again.at(name).digest != record.digest,
                 name + ": got the old one or none, expected that the next process replaces it");
  outcome.facts = std::to_string(after.size()) + " left behind, " +
                  std::to_string(again.size() - again.contains(name)) + " behind the next process";
  ExpectWhole(folder.path(), after, outcome);
  return outcome;
}

// Every record is one, whoever wrote it last.
void OracleRuns::ExpectWhole(const std::string& folder, const FolderState& but,
                             OracleOutcome& outcome) const {
  for (const auto& [name, file] : StateOf(folder)) {
    if (but.contains(name)) continue;
    const RecordFile record = ReadRecordFile(format_, folder + "/" + name);
    const Problem* refusal = record.record.Refusal();
    outcome.Expect(refusal == nullptr, name + (refusal == nullptr ? "" : ": " + TextOf(*refusal)));
  }
}

OracleOutcome OracleRuns::Together(bool first, bool second) {
  OracleOutcome outcome;
  const TemporaryFolder folder("parity_kv");
  const std::unique_ptr<Server> servers[] = {Saver(first, oracles_.shared, folder.path()),
                                             Saver(second, oracles_.shared, folder.path())};
  std::exception_ptr thrown[2];
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        try {
          for (const json& request : oracles_.requests) servers[i]->Ask(request);
          servers[i]->Stop();
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
    }
  }
  if (thrown[1]) std::rethrow_exception(thrown[1]);
  try {
    if (thrown[0]) std::rethrow_exception(thrown[0]);
  } catch (const SideFailure& failure) {
    outcome.Expect(false, "the process beside it " + failure.death().Text());
  }
  phases_.Know(*servers[1]);
  const FolderState files = StateOf(folder.path());
  outcome.Expect(!files.empty(), Got("files of both", "none", "at least one"));
  ExpectWhole(folder.path(), {}, outcome);
  outcome.facts = "no record is torn";
  return outcome;
}

}  // namespace parity::kv
