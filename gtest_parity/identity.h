// What a side is made of, as hashes.
#ifndef GTEST_PARITY_IDENTITY_H_
#define GTEST_PARITY_IDENTITY_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity {

// The sha256 of every file that a configuration names by an absolute path, folders with all they
// hold, a line each in the order of their names. Throws InvalidInput for a file that cannot be
// read.
std::string HashOfFilesIn(const nlohmann::json& config);

// A JSON file as it stands. Throws std::runtime_error.
nlohmann::json ReadJson(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_IDENTITY_H_
