#include "gtest_parity/engines/tiny/server/mutant_hooks.h"

namespace parity::tiny_server {

// That it was parsed without them is all.
void TakeComments(Json&) {}

void MistakeNull(Json& body) {
  if (body.contains("temperature") && body["temperature"].is_null()) body["temperature"] = "null";
}

void ForgetEffort(Json& body) {
  body.erase("reasoning_effort");
  for (const char* holder : {"reasoning", "output_config"}) {
    if (body.contains(holder) && body[holder].is_object()) body[holder].erase("effort");
  }
}

void ForgetFormat(Json& body) {
  body.erase("response_format");
  body.erase("output_format");
  for (const char* holder : {"output_config", "text"}) {
    if (body.contains(holder) && body[holder].is_object()) body[holder].erase("format");
  }
}

void MendPadding(Json& body) {
  if (body.is_structured()) {
    for (Json& part : body) MendPadding(part);
  } else if (body.is_string() && body.get_ref<const std::string&>().starts_with("data:image/")) {
    auto& text = body.get_ref<std::string&>();
    while ((text.size() - text.find(',') - 1) % 4 != 0) text += '=';
  }
}

}  // namespace parity::tiny_server
