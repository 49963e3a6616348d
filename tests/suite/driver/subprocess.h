// A program run to its end, with what it printed.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_SUBPROCESS_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_SUBPROCESS_H_

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace parity::testing {

using Environment = std::map<std::string, std::string>;

struct Finished {
  int exit_code = -1;  // of a process that ended by a signal: minus its number
  std::string out, err;
  std::string Text() const { return out + err; }
};

// A program that runs beside the test; its output goes to files in a folder of its own.
class Subprocess {
 public:
  // `arguments[0]` is the program, searched in PATH; `environment` is added to this process's own.
  // Standard input is empty. Throws std::runtime_error where no process can be made; a program that
  // cannot be executed exits with 127.
  Subprocess(const std::vector<std::string>& arguments, const Environment& environment);
  // Kills it if it still runs.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  // Processes that it started itself and that are its own still.
  std::vector<pid_t> Children() const;
  void Kill();
  bool Running();
  Finished Wait();

 private:
  void Reap(bool block);

  std::string folder_;
  pid_t pid_ = -1;  // -1: it was waited for
  int exit_code_ = -1;
};

// Whether a process of any parentage runs; one that ended and was not waited for does not.
bool Runs(pid_t pid);

Finished RunProgram(const std::vector<std::string>& arguments, const Environment& environment = {});

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_SUBPROCESS_H_
