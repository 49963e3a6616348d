// What one start of a server needs: what the manifest says of it, and what is filled in.
#ifndef GTEST_PARITY_SERVER_SERVER_SPEC_H_
#define GTEST_PARITY_SERVER_SERVER_SPEC_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/manifest/manifest.h"

namespace parity {

struct ServerSpec {
  std::string side;                                  // "reference" or "candidate"
  std::string name;                                  // of the engine, as reports call it
  ServerDeclaration server;                          // placeholders as they stand in the manifest
  nlohmann::json config = nlohmann::json::object();  // {config}, merged already
  std::string kv_folder;                             // {kv_folder}
  std::uint32_t ranks = 1;                           // {ranks}
};

// Of a side that is a server; throws std::invalid_argument of another.
ServerSpec SpecOf(const SideDeclaration& side, const std::string& side_name);

// A start's own values for the placeholders that only it knows.
struct StartValues {
  int port = 0;
  std::string config_file;
};

// The command and the environment (NAME=VALUE, and nothing that is not declared) with all filled
// in. Throws SetupError for a {config:POINTER} at which there is nothing.
std::vector<std::string> CommandOf(const ServerSpec& spec, const StartValues& values);
std::vector<std::string> EnvironmentOf(const ServerSpec& spec, const StartValues& values);

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_SERVER_SPEC_H_
