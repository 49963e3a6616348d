#include "suites/wire/profile/places.h"

#include <algorithm>
#include <array>

#include "gtest_parity/manifest/json_object.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using Visit = std::function<void(const std::string&, const json&)>;

// Filled by the client or the model, so that their keys are not the server's.
constexpr std::array<std::string_view, 7> kOpen = {"input", "parameters", "metadata",    "schema",
                                                   "tools", "logit_bias", "top_logprobs"};

constexpr std::array<std::string_view, 11> kChoices = {
    "type",   "object",      "role",     "finish_reason", "stop_reason", "status",
    "reason", "tool_choice", "owned_by", "service_tier",  "code"};

template <std::size_t kCount>
bool Has(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void Walk(const std::string& place, const json& value, const Visit& visit) {
  visit(place, value);
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) {
      const std::string inner = Pointer(place, key);
      if (Has(kOpen, key) && part.is_structured()) {
        visit(inner, part.is_object() ? json::object() : json::array());
      } else {
        Walk(inner, part, visit);
      }
    }
  } else if (value.is_array()) {
    for (const json& part : value) {
      const bool typed = part.is_object() && part.contains("type") && part["type"].is_string();
      Walk(place + "/*" + (typed ? "{" + part["type"].get<std::string>() + "}" : ""), part, visit);
    }
  }
}

}  // namespace

void EachPlace(const json& value, const Visit& visit) { Walk("", value, visit); }

std::string TypeNameOf(const json& value) {
  if (value.is_number_integer()) return "integer";
  return value.type_name();
}

bool IsChoice(const std::string& place) {
  return Has(kChoices, place.substr(place.rfind('/') + 1));
}

}  // namespace parity::wire
