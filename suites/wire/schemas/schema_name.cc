#include "suites/wire/answers/error_of.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/schemas/schemas.h"

namespace parity::wire {

std::string SchemaNameOf(Surface surface, bool is_event, const nlohmann::json& value) {
  if (!value.is_object()) return "";
  if (surface == Surface::kMetrics) return "";
  // No schema is for it, but a profile is.
  if (surface == Surface::kStats && !AnswerErrorOf(value)) return "stats";
  const std::string type = TextIn(value, "type");
  if (is_event && surface == Surface::kResponses) return "responses." + type;
  if (AnswerErrorOf(value) && surface != Surface::kResponses) {
    return surface == Surface::kMessages ? "error.messages" : "error.openai";
  }
  // A response that failed tells of its error too.
  if (AnswerErrorOf(value) && TextIn(value, "object") != "response") return "error.openai";
  const std::string name(NameOf(surface));
  if (is_event && surface == Surface::kMessages) return name + "." + type;
  if (surface == Surface::kModels) return Holds(value, "data") ? "models" : "model";
  if (surface == Surface::kOther) return "";
  return is_event ? name + ".chunk" : name;
}

}  // namespace parity::wire
