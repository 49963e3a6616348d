#include "gtest_parity/suite_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "gtest_parity/manifest/json_paths.h"
#include "gtest_parity/report/exit_code.h"

namespace parity {
namespace {

nlohmann::json ParseObject(const std::string& flag, const std::string& text) {
  if (text.empty()) return nlohmann::json::object();
  const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_object()) {
    throw UsageError(flag + ": got " + text + ", expected a JSON object", kExitUsage);
  }
  try {
    return WithPaths(value, std::filesystem::current_path().string());
  } catch (const std::runtime_error& error) {
    throw UsageError(flag + " " + error.what(), kExitUsage);
  }
}

std::vector<std::string> SplitWords(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Flags whose text is read after all have been found.
struct FlagTexts {
  std::string reference_config, candidate_config, wrapper;
};

void AddWhatToRun(CLI::App& app, SuiteOptions& options, FlagTexts& texts) {
  app.add_option("--parity_manifest", options.manifest, "The parity manifest (YAML)");
  app.add_option("--parity_group", options.group, "Name of this run in reports");
  app.add_option("--parity_output", options.output,
                 "Folder for cases.jsonl, junit.xml, group.json");
  app.add_option("--parity_library_path", options.library_path, "Folders with engine plugins");
  app.add_option("--parity_ranks", options.ranks, "Rank count, instead of the manifest's");
  app.add_option("--parity_ranks_in", options.ranks_in,
                 "Threads of one host, or one host process per rank, instead of the manifest's")
      ->check(CLI::IsMember({"threads", "processes"}));
  app.add_option("--parity_seed", options.seed, "Workload seed, instead of the manifest's");
  app.add_option("--parity_deadline", options.deadline_seconds,
                 "Seconds an engine may take to answer");
  app.add_option("--parity_reference_config", texts.reference_config,
                 "JSON merged over its config; {\"path\": P} becomes P's absolute path");
  app.add_option("--parity_candidate_config", texts.candidate_config,
                 "JSON merged over its config; {\"path\": P} becomes P's absolute path");
  app.add_option("--parity_run", options.run, "Replay only runs whose name contains this");
  app.add_option("--parity_rank", options.rank, "Compare only this rank");
  app.add_option("--parity_dump", options.dump, "Folder for both sides' frontiers (safetensors)");
}

void AddRecordings(CLI::App& app, SuiteOptions& options) {
  CLI::Option* record = app.add_option("--parity_record", options.record,
                                       "New folder for the reference's recording, all cases");
  app.add_option("--parity_reference", options.recorded,
                 "Folder with a recording, in place of the reference")
      ->excludes(record);
  app.add_option("--parity_golden", options.golden,
                 "Folder with a tracked recording, in place of the reference")
      ->excludes(record)
      ->excludes("--parity_reference");
  app.add_option("--parity_transcripts", options.transcripts,
                 "Folder with both sides' transcripts, in place of servers");
}

void AddHost(CLI::App& app, SuiteOptions& options, FlagTexts& texts) {
  app.add_option("--parity_host", options.host, "The engine host program");
  app.add_option("--parity_host_wrapper", texts.wrapper,
                 "Command to run the host under; no deadlines then");
  app.add_flag("--parity_in_process", options.in_process, "Engines in this process: not evidence")
      ->excludes("--parity_record");
}

// Leaves in argv what this program does not know, for GoogleTest. Returns the rest.
std::vector<std::string> TakeKnown(const std::vector<std::string>& extras, int* argc, char** argv) {
  std::vector<std::string> known;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const bool extra = std::find(extras.begin(), extras.end(), argv[i]) != extras.end();
    if (extra) {
      argv[kept++] = argv[i];
    } else {
      known.push_back(argv[i]);
    }
  }
  *argc = kept;
  argv[kept] = nullptr;
  return known;
}

}  // namespace

std::string EngineHost() {
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path installed = folder / "../libexec/gtest_parity/parity_host";
  std::error_code ignored;
  return std::filesystem::exists(installed, ignored) ? installed : folder / "parity_host";
}

SuiteOptions TakeSuiteOptions(int* argc, char** argv) {
  SuiteOptions options;
  options.host = EngineHost();
  FlagTexts texts;
  CLI::App app("A parity suite. GoogleTest's own flags (--gtest_filter, ...) work too.");
  app.allow_extras();
  app.set_help_flag("--help", "Print this and exit");
  AddWhatToRun(app, options, texts);
  AddRecordings(app, options);
  AddHost(app, options, texts);
  try {
    app.parse(*argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw UsageError(app.help(), kExitPassed);
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "\n" + app.help(), kExitUsage);
  }
  options.reference_config = ParseObject("--parity_reference_config", texts.reference_config);
  options.candidate_config = ParseObject("--parity_candidate_config", texts.candidate_config);
  options.host_wrapper = SplitWords(texts.wrapper);
  options.repeat = TakeKnown(app.remaining(), argc, argv);
  return options;
}

}  // namespace parity
