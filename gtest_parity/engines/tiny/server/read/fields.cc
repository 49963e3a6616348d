#include "gtest_parity/engines/tiny/server/read/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {

const Json& Get(const Json& object, const char* key) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

bool Has(const Json& object, const char* key) { return !Get(object, key).is_null(); }

bool FlagOf(const Json& object, const char* key) {
  const Json& value = Get(object, key);
  if (!value.is_null() && !value.is_boolean()) throw Bad(key, "true or false");
  return value == Json(true);
}

std::string TextOf(const Json& object, const char* key, const std::string& where) {
  const Json& value = Get(object, key);
  if (!value.is_string()) throw Bad(where + "." + key, "a string");
  return value.get<std::string>();
}

std::optional<std::uint64_t> MaxTokensOf(const Json& body, const std::vector<const char*>& keys) {
  for (const char* key : keys) {
    if (!Has(body, key)) continue;
    const Json& value = Get(body, key);
    if (!value.is_number()) throw Bad(key, "a whole number, at least 0");
    const double number = value.get<double>();
    if (!(number >= 0)) throw Bad(key, "a whole number, at least 0");
    return static_cast<std::uint64_t>(
        std::min(number, static_cast<double>(std::numeric_limits<std::int32_t>::max())));
  }
  return std::nullopt;
}

std::vector<std::string> StopsOf(const Json& body, const char* key) {
  const Json& value = Get(body, key);
  if (value.is_null()) return {};
  const Json list = value.is_string() ? Json::array({value}) : value;
  if (!list.is_array()) throw Bad(key, "a string or an array of strings");
  std::vector<std::string> stops;
  for (const Json& stop : list) {
    if (!stop.is_string()) throw Bad(key, "a string or an array of strings");
    if (!stop.get<std::string>().empty()) stops.push_back(stop.get<std::string>());
  }
  return stops;
}

bool SamplesIn(const Json& body) {
  for (const char* key : {"temperature", "top_p"}) {
    if (Has(body, key) && !Get(body, key).is_number()) throw Bad(key, "a number");
  }
  const Json& temperature = Get(body, "temperature");
  const double value = temperature.is_null() ? 0 : temperature.get<double>();
  if (value < 0 || value > 2) throw Bad("temperature", "0 to 2");
  return value > 0;
}

ThinkMode ThinkModeOf(const Json& body) {
  const auto on_if = [](bool on) { return on ? ThinkMode::kOn : ThinkMode::kOff; };
  const Json& type = Get(Get(body, "thinking"), "type");
  if (type == "disabled") return ThinkMode::kOff;
  if (type == "enabled" || type == "adaptive") return ThinkMode::kOn;
  for (const char* key : {"think", "enable_thinking", "thinking"}) {
    if (Get(body, key).is_boolean()) return on_if(Get(body, key).get<bool>());
  }
  const Json* efforts[] = {&Get(body, "reasoning_effort"), &Get(Get(body, "reasoning"), "effort"),
                           &Get(Get(body, "output_config"), "effort")};
  for (const Json* effort : efforts) {
    if (*effort == "none" || *effort == "off") return ThinkMode::kOff;
    if (effort->is_string()) return ThinkMode::kOn;
  }
  return ThinkMode::kUnsaid;
}

void RefuseFormat(const Json& format, const std::string& where) {
  const Json& type = format.is_object() ? Get(format, "type") : format;
  if (type.is_null() || type == "text") return;
  if (type == "json_object" || type == "json_schema") {
    throw WireError(400, where + ": " + type.get<std::string>() + " is not supported", where,
                    "unsupported_parameter");
  }
  throw Bad(where, "type text");
}

void RefuseUnless(bool fine, const char* key, const char* expected) {
  if (fine) return;
  throw WireError(400, std::string(key) + ": not supported, expected " + expected, key,
                  "unsupported_parameter");
}

TurnCall CallOf(const Json& id, const Json& arguments, const std::string& where) {
  const Json parsed =
      arguments.is_string() ? Json::parse(arguments.get<std::string>(), nullptr, false) : Json();
  if (!id.is_string() || !parsed.is_object()) {
    throw Bad(where, "an id, and arguments that are an object as text");
  }
  return {id.get<std::string>(), parsed};
}

std::string ToolChoiceOf(const Json& body) {
  const Json& choice = Get(body, "tool_choice");
  if (choice.is_null()) return "auto";
  if (choice == "auto" || choice == "none" || choice == "required") {
    return choice.get<std::string>();
  }
  throw WireError(400, "tool_choice: expected \"auto\", \"none\" or \"required\"", "tool_choice",
                  "unsupported_parameter");
}

std::string ToolToCall(const std::vector<std::string>& names, const std::string& choice,
                       const Intent& intent) {
  if (choice == "required" && names.empty()) throw Bad("tools", "some with tool_choice required");
  if (choice == "none" || names.empty()) return "";
  const bool result = !intent.turns.empty() && intent.turns.back().role == "tool";
  return choice == "auto" && result ? "" : names.front();
}

}  // namespace parity::tiny_server
