#include "suites/kv/answer.h"

#include <stdexcept>

namespace parity::kv {
namespace {

using nlohmann::json;

void CountEvents(const json& events, Answer& answer) {
  for (const json& event : events) {
    const std::string what = event.at("event").get<std::string>();
    if (what == "hit") ++answer.hits;
    if (what == "refuse") answer.refusals.push_back(event.at("why").get<std::string>());
    std::string text = what + " " + event.value("reason", "");
    if (event.contains("tokens")) text += " " + event.at("tokens").dump();
    if (event.contains("why")) text += ": " + event.at("why").get<std::string>();
    answer.events.push_back(std::move(text));
  }
}

Answer Parse(const json& whole) {
  Answer answer;
  answer.whole = whole;
  whole.at("ids").get_to(answer.ids);
  whole.at("text").get_to(answer.text);
  whole.at("finish").get_to(answer.finish);
  const json& usage = whole.at("usage");
  usage.at("prompt").get_to(answer.prompt);
  usage.at("cached").get_to(answer.cached);
  usage.at("computed").get_to(answer.computed);
  usage.at("output").get_to(answer.output);
  answer.route = whole.at("route");
  if (const json& restored = whole.at("restored"); !restored.is_null()) {
    restored.at("from").get_to(answer.restored_from);
    answer.restored_key = restored.value("key", "");
  }
  whole.at("ran").at("ops").get_to(answer.ops);
  whole.at("ran").at("rows").get_to(answer.rows);
  CountEvents(whole.at("events"), answer);
  return answer;
}

}  // namespace

Answer ParseAnswer(const std::string& text) {
  try {
    return Parse(json::parse(text));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("no answer of a server: ") + error.what() + ": " +
                             text.substr(0, 200));
  }
}

}  // namespace parity::kv
