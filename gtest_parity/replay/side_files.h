// The files that a side is made of.
#ifndef GTEST_PARITY_REPLAY_SIDE_FILES_H_
#define GTEST_PARITY_REPLAY_SIDE_FILES_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity {

// The sha256 of every file that a configuration names by an absolute path, folders with all they
// hold, a line each in the order of their names. Throws InvalidInput for a file that cannot be
// read.
std::string HashOfFilesIn(const nlohmann::json& config);

// The configuration with the last component of every path in it that exists: what is there counts,
// not where.
nlohmann::json ConfigWithoutFolders(nlohmann::json config);

// A JSON file as it stands. Throws std::runtime_error.
nlohmann::json ReadJson(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SIDE_FILES_H_
