#include "gtest_parity/server/server_spec.h"

#include <cstdlib>
#include <stdexcept>

#include "gtest_parity/manifest/placeholders.h"
#include "gtest_parity/side/side.h"

namespace parity {
namespace {

using nlohmann::json;

std::string ConfigAt(const ServerSpec& spec, const std::string& pointer) {
  try {
    const json& value = spec.config.at(json::json_pointer(pointer));
    return value.is_string() ? value.get<std::string>() : value.dump();
  } catch (const json::exception&) {
    throw SetupError("the " + spec.side + "'s server: {config:" + pointer +
                     "}: nothing is there in " + spec.config.dump());
  }
}

std::string ValueOf(const Placeholder& placeholder, const ServerSpec& spec,
                    const StartValues& values) {
  if (placeholder.name == "port") return std::to_string(values.port);
  if (placeholder.name == "ranks") return std::to_string(spec.ranks);
  if (placeholder.name == "kv_folder") return spec.kv_folder;
  if (placeholder.name == "config_file") return values.config_file;
  if (placeholder.name == "config") {
    return placeholder.argument.empty() ? spec.config.dump() : ConfigAt(spec, placeholder.argument);
  }
  throw SetupError("the " + spec.side + "'s server: {" + placeholder.name +
                   "} is nothing that is filled in");
}

}  // namespace

ServerSpec SpecOf(const SideDeclaration& side, const std::string& side_name) {
  if (!side.server) throw std::invalid_argument("the " + side_name + " is no server");
  ServerSpec spec;
  spec.side = side_name;
  spec.name = side.name;
  spec.server = *side.server;
  spec.config = side.config;
  return spec;
}

std::vector<std::string> CommandOf(const ServerSpec& spec, const StartValues& values) {
  std::vector<std::string> command;
  for (const std::string& word : spec.server.command) {
    command.push_back(
        FillPlaceholders(word, [&](const Placeholder& one) { return ValueOf(one, spec, values); }));
  }
  return command;
}

std::vector<std::string> EnvironmentOf(const ServerSpec& spec, const StartValues& values) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : spec.server.environment) {
    const char* own = std::getenv(name.c_str());
    if (value) {
      entries.push_back(name + "=" + FillPlaceholders(*value, [&](const Placeholder& one) {
                          return ValueOf(one, spec, values);
                        }));
    } else if (own != nullptr) {
      entries.push_back(name + "=" + own);
    }
  }
  return entries;
}

}  // namespace parity
