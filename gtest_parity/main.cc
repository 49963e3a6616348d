#include "gtest_parity/main.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include "gtest_parity/environments.h"
#include "gtest_parity/fixtures.h"
#include "gtest_parity/listener.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_manifest.h"
#include "gtest_parity/progress.h"
#include "gtest_parity/replay/write_recording.h"
#include "gtest_parity/report/error.h"
#include "gtest_parity/report/exit_code.h"
#include "gtest_parity/report/matrix.h"
#include "gtest_parity/suite.h"
#include "gtest_parity/suite_options.h"

namespace parity {
namespace {

bool has_verdict = false;

void ExitGuard() {
  if (has_verdict) return;
  std::fprintf(stderr, "parity: ended without a verdict\n");
  std::fflush(nullptr);
  _exit(kExitError);
}

// Started without some of them, the first files opened would take their numbers, and what is
// printed would go there.
void OpenStandardStreams() {
  for (int fd = 0; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) _exit(kExitError);
  }
}

int End(int exit_code) {
  has_verdict = true;
  return exit_code;
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", &utc);
  return text;
}

Manifest ManifestOf(const SuiteOptions& options, bool reference_recorded) {
  if (options.manifest.empty()) {
    throw UsageError("no manifest: give --parity_manifest=FILE", kExitUsage);
  }
  ReadOptions read;
  read.search = SearchPath::FromEnvironment(options.library_path);
  read.ranks = options.ranks;
  read.reference_config = options.reference_config;
  read.candidate_config = options.candidate_config;
  read.reference_recorded = reference_recorded;
  Manifest manifest = ReadManifest(options.manifest, read);
  if (!options.ranks_in.empty()) manifest.ranks.in_threads = options.ranks_in == "threads";
  if (options.seed) manifest.workload.seed = *options.seed;
  if (options.deadline_seconds) manifest.deadline_seconds = *options.deadline_seconds;
  return manifest;
}

SessionOptions SessionOptionsOf(const SuiteOptions& options) {
  SessionOptions session;
  session.host_program = options.host;
  session.host_wrapper = options.host_wrapper;
  session.in_process = options.in_process;
  session.log_folder = options.output;
  session.dump_folder = options.dump;
  session.record_folder = options.record;
  session.transcripts = options.transcripts;
  session.filter = {options.run, options.rank};
  session.progress = TerminalProgress();
  session.today = Today();
  return session;
}

std::string GroupName(const SuiteOptions& options, const Manifest& manifest) {
  if (!options.group.empty()) return options.group;
  return manifest.name + ".ranks" + std::to_string(manifest.ranks.count) +
         (manifest.ranks.in_threads ? "" : ".processes");
}

// A shard's reports lie beside those of the others.
std::string OutputFolder(const SuiteOptions& options) {
  const char* shards = std::getenv("GTEST_TOTAL_SHARDS");
  const char* shard = std::getenv("GTEST_SHARD_INDEX");
  if (options.output.empty() || shards == nullptr || shard == nullptr || std::atoi(shards) < 2) {
    return options.output;
  }
  return options.output + "/shard_" + shard;
}

ExitRules RulesFromEnvironment(const std::string& group) {
  const auto text = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  return {group, AllowedBlocked::Parse(text("PARITY_ALLOW_BLOCKED")),
          ParseRequired(text("PARITY_REQUIRE"))};
}

// Of this process, or of the largest of its children that have ended.
long PeakMebibytes(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return usage.ru_maxrss >> 10;
}

void PrintEnd(const Suite& suite, const ReportListener& report) {
  std::printf("\n%s", MatrixText({report.AsGroup()}).c_str());
  for (const std::string& note : suite.campaign->Notes()) std::printf("note: %s\n", note.c_str());
  std::printf("%s\n", suite.campaign->SecondsText().c_str());
  std::printf("peak memory: judge %ld MiB, engine host %ld MiB\n", PeakMebibytes(RUSAGE_SELF),
              PeakMebibytes(RUSAGE_CHILDREN));
}

// From the options to the cases, which GoogleTest wants before it is initialised.
void Prepare(const SuiteDefinition& definition, Suite& suite) {
  const bool of_recordings = !suite.options.record.empty() || !suite.options.recorded.empty() ||
                             !suite.options.golden.empty();
  if ((definition.inquiry || definition.campaign) && of_recordings) {
    throw UsageError(
        "this suite asks a living reference: --parity_record, --parity_reference and "
        "--parity_golden are for recordings of spans",
        kExitUsage);
  }
  if (!suite.options.transcripts.empty() && !definition.takes_transcripts) {
    throw UsageError("--parity_transcripts: this suite has no transcripts, wire has", kExitUsage);
  }
  if (!suite.options.record.empty()) ExpectNothingAt(suite.options.record);
  suite.options.output = OutputFolder(suite.options);
  SessionOptions session_options = SessionOptionsOf(suite.options);
  std::optional<LibraryHashes> recorded;
  const std::string& golden = suite.options.golden;
  const std::string& folder = golden.empty() ? suite.options.recorded : golden;
  if (!folder.empty()) {
    session_options.recorded = OpenRecordedReference(folder, !golden.empty());
    recorded = session_options.recorded->library();
  }
  Manifest manifest = ManifestOf(suite.options, recorded.has_value());
  suite.group = GroupName(suite.options, manifest);
  if (definition.campaign) {
    suite.campaign = definition.campaign(std::move(manifest), std::move(session_options));
  } else {
    suite.campaign = std::make_unique<Session>(MakePlan(std::move(manifest), recorded),
                                               std::move(session_options), definition.inquiry);
  }
  const auto instantiate =
      definition.instantiate == nullptr ? InstantiateCases : definition.instantiate;
  instantiate(suite.campaign->manifest().name, suite);
}

int Run(int argc, char** argv, const SuiteDefinition& definition) {
  Suite suite;
  suite.options = TakeSuiteOptions(&argc, argv);
  Prepare(definition, suite);
  const ExitRules exit_rules = RulesFromEnvironment(suite.group);
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) throw UsageError(std::string("unknown argument: ") + argv[1], kExitUsage);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  testing::AddGlobalTestEnvironment(new ReferenceEnvironment(suite));
  testing::AddGlobalTestEnvironment(new CandidateEnvironment(suite));
  auto* report = new ReportListener(suite, suite.options.output);
  testing::UnitTest::GetInstance()->listeners().Append(report);
  const int gtest_code = RUN_ALL_TESTS();

  int exit_code = ExitCodeOf(report->results(), exit_rules);
  if (exit_code == kExitPassed && gtest_code != 0) exit_code = kExitFailed;
  report->Finish(exit_code);
  if (report->trouble()) {
    std::fprintf(stderr, "parity: %s\n", report->trouble()->c_str());
    if (exit_code == kExitPassed || exit_code == kExitBlocked) exit_code = kExitError;
  }
  if (report->results().empty()) {
    std::fprintf(stderr, "parity: no case is selected by the filter or in this shard\n");
  } else {
    PrintEnd(suite, *report);
  }
  return exit_code;
}

}  // namespace

int ParityMain(int argc, char** argv, const SuiteDefinition& suite) {
  OpenStandardStreams();
  std::atexit(ExitGuard);
  try {
    return End(Run(argc, argv, suite));
  } catch (const UsageError& error) {
    std::fprintf(error.exit_code() == kExitPassed ? stdout : stderr, "%s\n", error.what());
    return End(error.exit_code());
  } catch (const InvalidInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return End(kExitUsage);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity: %s\n", error.what());
    return End(kExitError);
  }
}

}  // namespace parity
