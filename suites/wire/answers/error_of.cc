#include "suites/wire/answers/error_of.h"

#include "suites/wire/answers/json_parts.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// A code that is a number is one of the deviations that rules tell: its digits are kept.
std::string AnyText(const json& value, const char* key) {
  const json& part = PartOf(value, key);
  if (part.is_null()) return "";
  return part.is_string() ? part.get<std::string>() : part.dump();
}

AnswerError Of(const json& error) {
  return {AnyText(error, "type"), AnyText(error, "code"), AnyText(error, "param"),
          AnyText(error, "message")};
}

}  // namespace

std::optional<AnswerError> AnswerErrorOf(const json& value) {
  const json& inner = PartOf(value, "error");
  if (inner.is_object()) return Of(inner);
  // The Responses' event has its parts beside its type.
  if (TextIn(value, "type") == "error") {
    AnswerError error = Of(value);
    error.type.clear();
    return error;
  }
  if (inner.is_string()) return AnswerError{"", "", "", inner.get<std::string>()};
  const json& failed = PartOf(PartOf(value, "response"), "error");
  if (failed.is_object()) return Of(failed);
  return std::nullopt;
}

}  // namespace parity::wire
