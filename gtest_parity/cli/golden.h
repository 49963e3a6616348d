// `parity golden`: recordings that a project tracks.
#ifndef GTEST_PARITY_CLI_GOLDEN_H_
#define GTEST_PARITY_CLI_GOLDEN_H_

#include <CLI/CLI.hpp>
#include <functional>

namespace parity {

// Adds `golden update MANIFEST DIR --reason TEXT` and `golden check DIR`. What the one that is
// asked for does, and its exit status, is left in `command`; it throws what sides and files throw.
void AddGoldenCommands(CLI::App& app, std::function<int()>& command);

}  // namespace parity

#endif  // GTEST_PARITY_CLI_GOLDEN_H_
