#include "gtest_parity/cli/golden.h"

#include <sys/stat.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest_parity/session/case.h"
#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_manifest.h"
#include "gtest_parity/progress.h"
#include "gtest_parity/session/recorded_reference.h"
#include "gtest_parity/replay/golden_log.h"
#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/write_recording.h"
#include "gtest_parity/report/exit_code.h"
#include "gtest_parity/session/session.h"
#include "gtest_parity/suite_options.h"

namespace parity {
namespace {

struct GoldenArguments {
  std::string manifest, folder, reason, host;
  std::vector<std::string> library_path;
  std::optional<std::uint32_t> ranks;
};

bool IsThere(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

// What the folder's log says so far; nothing where there is no folder. Throws RecordingRefused for
// a folder that is no golden, so that no other one is replaced, and one whose log is damaged or
// ends with another content, as what was changed by whom would be lost.
std::vector<GoldenChange> ChangesSoFar(const std::string& path) {
  if (!IsThere(path)) return {};
  const RecordingFolder folder(path);
  std::vector<GoldenChange> changes = ParseGoldenLog(folder.Read(kLogFile));
  CheckGoldenLog(changes, ContentHash(folder.sums()));
  return changes;
}

std::unique_ptr<Session> RecordedSession(const GoldenArguments& arguments) {
  ReadOptions read;
  read.search = SearchPath::FromEnvironment(arguments.library_path);
  read.ranks = arguments.ranks;
  SessionOptions options;
  options.host_program = arguments.host.empty() ? EngineHost() : arguments.host;
  options.progress = TerminalProgress();
  auto session = std::make_unique<Session>(MakePlan(ReadManifest(arguments.manifest, read)),
                                           std::move(options));
  session->RecordReference(CasesOf(session->plan()));
  if (const std::optional<Verdict> trouble = session->Trouble()) {
    throw std::runtime_error(trouble->summary);
  }
  return session;
}

int Update(const GoldenArguments& arguments) {
  if (arguments.reason.find_first_not_of(" \t\n") == std::string::npos) {
    std::fprintf(stderr, "parity: --reason is empty, expected why the golden changes\n");
    return kExitUsage;
  }
  std::vector<GoldenChange> changes = ChangesSoFar(arguments.folder);
  const std::unique_ptr<Session> session = RecordedSession(arguments);
  NewFolder folder(arguments.folder);
  WrittenRecording written = session->WriteReference(folder.path());
  const RecordingIndex now = NewRecordingIndex();
  const std::string content = ContentHash(written.sums);
  changes.push_back({now.recorded, now.tool, arguments.reason,
                     changes.empty() ? "" : changes.back().after, content});
  WriteRecordingFile(folder.path(), kLogFile, GoldenLogText(changes), &written.sums);
  WriteRecordingFile(folder.path(), kSumsFile, SumsText(written.sums), nullptr);
  changes.size() == 1 ? folder.Become() : folder.Replace();
  std::printf("%s: %s, %s, change %zu\n", arguments.folder.c_str(),
              changes.size() == 1 ? "made" : "replaced", written.Text().c_str(), changes.size());
  for (const std::string& note : session->Notes()) std::printf("note: %s\n", note.c_str());
  return kExitPassed;
}

void ReadEveryFile(const RecordingFolder& folder) {
  std::vector<std::uint8_t> buffer(std::size_t{1} << 20);
  for (const auto& [name, unused] : folder.sums()) {
    folder.Stream(
        name, [](std::uint64_t) {}, [&](std::uint64_t) { return std::span<std::uint8_t>(buffer); });
  }
}

int Check(const GoldenArguments& arguments) {
  const RecordedReference golden = OpenRecordedReference(arguments.folder, true);
  if (golden.folder == nullptr) throw std::runtime_error(golden.refusal);
  ReadEveryFile(*golden.folder);
  const Recording recording = ParseRecording(golden.folder->Read(kEvidenceFile));
  std::set<std::size_t> runs;
  std::size_t spans = 0;
  for (const std::vector<KeptSpan>& kept : recording.spans) {
    spans += kept.empty() ? 0 : 1;
    for (const KeptSpan& span : kept) runs.insert(span.run);
  }
  std::uint64_t bytes = 0;
  for (const auto& [name, unused] : golden.folder->sums()) bytes += golden.folder->Size(name);
  const nlohmann::json& inputs = golden.index.inputs;
  std::printf(
      "%s: in order\n"
      "  manifest   %s, ranks %s, seed %s\n"
      "  reference  %s\n"
      "  made       with %s on %s\n"
      "  holds      %zu spans in %zu runs, %.1f MiB\n"
      "  changes    %zu, the last on %s: %s\n",
      arguments.folder.c_str(), inputs.value("manifest", std::string("?")).c_str(),
      inputs.value("ranks", nlohmann::json()).dump().c_str(),
      inputs.value(nlohmann::json::json_pointer("/workload/seed"), nlohmann::json()).dump().c_str(),
      golden.Text().c_str(), golden.index.tool.c_str(), golden.index.machine.c_str(), spans,
      runs.size(), static_cast<double>(bytes) / (1 << 20), golden.changes.size(),
      golden.changes.back().date.c_str(), golden.changes.back().reason.c_str());
  return kExitPassed;
}

}  // namespace

void AddGoldenCommands(CLI::App& app, std::function<int()>& command) {
  const auto arguments = std::make_shared<GoldenArguments>();
  CLI::App* golden = app.add_subcommand("golden", "Recordings that a project tracks");
  golden->require_subcommand(1);
  CLI::App* update =
      golden->add_subcommand("update", "Record the reference in place of a golden, or a new one");
  update->add_option("MANIFEST", arguments->manifest, "The manifest")->required();
  update->add_option("DIR", arguments->folder, "The golden's folder")->required();
  update->add_option("--reason", arguments->reason, "Why it changes: kept in its log")->required();
  update->add_option("--library_path", arguments->library_path, "Folders with engine plugins");
  update->add_option("--ranks", arguments->ranks, "Rank count, instead of the manifest's");
  update->add_option("--host", arguments->host, "The engine host program");
  update->callback([&command, arguments] { command = [arguments] { return Update(*arguments); }; });
  CLI::App* check = golden->add_subcommand("check", "Check every file of a golden and its log");
  check->add_option("DIR", arguments->folder, "The golden's folder")->required();
  check->callback([&command, arguments] { command = [arguments] { return Check(*arguments); }; });
}

}  // namespace parity
