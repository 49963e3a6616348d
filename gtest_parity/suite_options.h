// The command line of a suite.
#ifndef GTEST_PARITY_SUITE_OPTIONS_H_
#define GTEST_PARITY_SUITE_OPTIONS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace parity {

struct SuiteOptions {
  std::string manifest;
  std::string group;   // name in reports; empty: the manifest's name and the rank count
  std::string output;  // folder for reports; empty: none are written
  std::vector<std::string> library_path;
  std::optional<std::uint32_t> ranks;
  std::string ranks_in;  // "threads" or "processes"; empty: as the manifest says
  std::optional<std::uint64_t> seed;
  std::optional<double> deadline_seconds;
  nlohmann::json reference_config = nlohmann::json::object();
  nlohmann::json candidate_config = nlohmann::json::object();
  std::string run;          // only runs whose name contains it are replayed
  std::optional<int> rank;  // only this rank is compared
  std::string dump;
  std::string record;       // folder to write the reference's recording to
  std::string recorded;     // folder with one, in place of the reference
  std::string golden;       // folder with a tracked one, in place of the reference
  std::string transcripts;  // folder with both sides' transcripts, in place of servers
  std::string host;
  std::vector<std::string> host_wrapper;
  bool in_process = false;
  std::vector<std::string> repeat;  // the arguments above as given, for the repeat command
};

// Where a build and an install have the engine host: beside a suite, or where `parity` finds it.
std::string EngineHost();

// Takes the --parity_... flags out of argv and leaves GoogleTest's. Throws UsageError with the text
// to print; its exit code is 0 for --help.
SuiteOptions TakeSuiteOptions(int* argc, char** argv);

class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& text, int exit_code)
      : std::runtime_error(text), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SUITE_OPTIONS_H_
