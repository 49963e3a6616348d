// The `parity` command.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest_parity/cli/golden.h"
#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/manifest/describe_plan.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_manifest.h"
#include "gtest_parity/report/error.h"
#include "gtest_parity/report/exit_code.h"
#include "gtest_parity/report/files.h"
#include "gtest_parity/report/fold.h"
#include "gtest_parity/report/junit.h"
#include "gtest_parity/report/perf_table.h"

namespace parity {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> library_path;
  std::optional<std::uint32_t> ranks;
  std::string engine;
  std::string config = "{}";
  std::vector<std::string> folders;
  std::string output;
  std::string begun;
};

using Command = int (*)(const Arguments&);

Manifest ManifestOf(const Arguments& arguments) {
  ReadOptions options;
  options.search = SearchPath::FromEnvironment(arguments.library_path);
  options.ranks = arguments.ranks;
  return ReadManifest(arguments.file, options);
}

Plan PlanOf(const Arguments& arguments) { return MakePlan(ManifestOf(arguments)); }

std::string KindOf(const SideDeclaration& side) {
  return side.server ? "the server " + side.name : "the engine plugin " + side.engine;
}

int Check(const Arguments& arguments) {
  Manifest manifest = ManifestOf(arguments);
  if (manifest.reference.server || manifest.candidate.server) {
    std::printf("%s: %s against %s; there are no spans of a server\n", manifest.name.c_str(),
                KindOf(manifest.candidate).c_str(), KindOf(manifest.reference).c_str());
    return kExitPassed;
  }
  std::printf("%s\n", SummarizePlan(MakePlan(std::move(manifest))).c_str());
  return kExitPassed;
}

int Spans(const Arguments& arguments) {
  std::printf("%s", DescribePlan(PlanOf(arguments)).c_str());
  return kExitPassed;
}

int Describe(const Arguments& arguments) {
  const FoundLibrary library =
      FindLibrary(arguments.file, ".", SearchPath::FromEnvironment(arguments.library_path));
  const Plugin plugin(library.path.empty() ? arguments.file : library.path);
  std::string engine = arguments.engine;
  if (engine.empty()) {
    if (plugin.EngineNames().size() != 1) {
      throw std::runtime_error(arguments.file + " offers several engines: give --engine");
    }
    engine = plugin.EngineNames().front();
  }
  const std::string text = DescribeEngine(plugin.Find(engine), arguments.config);
  std::printf("%s\n", nlohmann::ordered_json::parse(text).dump(1).c_str());
  return kExitPassed;
}

std::vector<GroupResult> GroupsIn(const std::vector<std::string>& folders) {
  std::vector<GroupResult> groups;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_regular_file(folder + "/cases.jsonl")) {
      throw ReportError(folder + ": holds no results, expected a folder with cases.jsonl");
    }
    groups.push_back(ReadGroup({"", folder, {}}));
  }
  return groups;
}

int Perf(const Arguments& arguments) {
  std::printf("%s", PerfText(GroupsIn(arguments.folders)).c_str());
  return kExitPassed;
}

int JUnit(const Arguments& arguments) {
  const std::vector<GroupResult> groups = GroupsIn(arguments.folders);
  if (arguments.output.empty()) {
    std::printf("%s", JUnitXml(groups).c_str());
  } else {
    WriteJUnit(arguments.output, groups);
  }
  return kExitPassed;
}

// Marks the time before which a group's result is another run's.
int Begin(const Arguments& arguments) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  WriteFileAtomically(arguments.begun, text);
  return kExitPassed;
}

int VerdictOnAll(const Arguments& arguments) {
  const std::optional<std::string> list = ReadFileIfThere(arguments.file);
  if (!list) throw ReportError(arguments.file + ": no such list of groups");
  FoldRules rules;
  if (const char* allowed = std::getenv("PARITY_ALLOW_BLOCKED")) {
    rules.allowed = AllowedBlocked::Parse(allowed);
  }
  if (!arguments.begun.empty()) rules.not_before = ReadFileIfThere(arguments.begun).value_or("");
  std::vector<GroupResult> groups;
  for (const ExpectedGroup& group : ParseExpectedGroups(*list)) groups.push_back(ReadGroup(group));
  const Folded folded = Fold(std::move(groups), rules);
  std::printf("%s", folded.Text().c_str());
  return folded.Passed() ? kExitPassed : kExitFailed;
}

// A subcommand that leaves `run` in `command`.
CLI::App* Add(CLI::App& app, const char* name, const char* what, Command run, Command& command) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->callback([&command, run] { command = run; });
  return sub;
}

void AddManifestCommands(CLI::App& app, Arguments& arguments, Command& command) {
  for (CLI::App* sub :
       {Add(app, "check", "Check a manifest and all it names", Check, command),
        Add(app, "spans", "List spans with their frontiers, and what is not compared", Spans,
            command)}) {
    sub->add_option("FILE", arguments.file, "The manifest")->required();
    sub->add_option("--library_path", arguments.library_path, "Folders with engine plugins");
    sub->add_option("--ranks", arguments.ranks, "Rank count, instead of the manifest's");
  }
  CLI::App* describe = Add(app, "describe", "Print an engine's description", Describe, command);
  describe->add_option("LIBRARY", arguments.file, "The plugin: a path or a name")->required();
  describe->add_option("--engine", arguments.engine, "Which engine, if it offers several");
  describe->add_option("--config", arguments.config, "The engine's configuration, JSON");
  describe->add_option("--library_path", arguments.library_path, "Folders with engine plugins");
}

void AddReportCommands(CLI::App& app, Arguments& arguments, Command& command) {
  CLI::App* junit =
      Add(app, "junit", "Rebuild JUnit XML from groups' folders, merged", JUnit, command);
  junit->add_option("DIR", arguments.folders, "Folders with cases.jsonl")->required();
  junit->add_option("--output", arguments.output, "File to write, instead of standard output");
  CLI::App* report = app.add_subcommand("report", "Print what runs left, as a table");
  report->require_subcommand(1);
  CLI::App* perf =
      Add(*report, "perf", "Times of both sides, which no verdict sees", Perf, command);
  perf->add_option("DIR", arguments.folders, "Folders with cases.jsonl")->required();
  CLI::App* begin = Add(app, "begin", "Mark the begin of a run of groups", Begin, command);
  begin->add_option("FILE", arguments.begun, "File to write")->required();
  CLI::App* verdict =
      Add(app, "verdict", "Fold the results of all groups into one verdict", VerdictOnAll, command);
  verdict->add_option("GROUPS", arguments.file, "JSON lines: name, folder, labels")->required();
  verdict->add_option("--begun", arguments.begun, "What `begin` wrote: older results do not count");
}

int Main(int argc, char** argv) {
  Arguments arguments;
  Command command = nullptr;
  CLI::App app("Parity of inference engines: manifests, descriptions, reports.");
  app.require_subcommand(1);
  AddManifestCommands(app, arguments, command);
  AddReportCommands(app, arguments, command);
  std::function<int()> golden;
  AddGoldenCommands(app, golden);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitPassed : kExitUsage;
  }
  return golden ? golden() : command(arguments);
}

}  // namespace
}  // namespace parity

int main(int argc, char** argv) {
  try {
    return parity::Main(argc, argv);
  } catch (const parity::InvalidInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return parity::kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity: %s\n", error.what());
    return parity::kExitError;
  }
}
