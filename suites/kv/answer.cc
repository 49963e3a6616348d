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
    if (event.contains("words")) {
      answer.refusal_words.push_back(event.at("words").get<std::string>());
    }
    std::string text = what + " " + event.value("reason", "");
    if (event.contains("tokens")) text += " " + event.at("tokens").dump();
    if (event.contains("why")) text += ": " + event.at("why").get<std::string>();
    answer.events.push_back(std::move(text));
  }
}

void ReadRestored(const json& restored, Answer& answer) {
  if (restored.is_null()) return;
  restored.at("from").get_to(answer.restored_from);
  answer.restored_key = restored.value("key", "");
}

Answer Parse(const json& whole) {
  Answer answer;
  answer.whole = whole;
  answer.untold = whole.value("untold", std::set<std::string>());
  if (!answer.Tells("events")) answer.untold.insert({"hits", "refusals"});
  if (answer.Tells("ids")) whole.at("ids").get_to(answer.ids);
  whole.at("text").get_to(answer.text);
  whole.at("finish").get_to(answer.finish);
  const json& usage = whole.at("usage");
  usage.at("prompt").get_to(answer.prompt);
  if (answer.Tells("cached")) usage.at("cached").get_to(answer.cached);
  if (answer.Tells("computed")) usage.at("computed").get_to(answer.computed);
  usage.at("output").get_to(answer.output);
  answer.calls = json::array();
  for (const json& call : whole.value("tool_calls", json::array())) {
    answer.calls.push_back({call.at("name"), call.at("arguments")});
  }
  if (answer.Tells("route")) answer.route = whole.at("route");
  if (answer.Tells("restored")) ReadRestored(whole.at("restored"), answer);
  if (answer.Tells("ran")) {
    whole.at("ran").at("ops").get_to(answer.ops);
    whole.at("ran").at("rows").get_to(answer.rows);
  }
  if (answer.Tells("events")) CountEvents(whole.at("events"), answer);
  return answer;
}

}  // namespace

std::string WithEverythingTold(std::string text) {
  if (text.find("untold") == std::string::npos) return text;
  json whole = json::parse(text, nullptr, false);
  if (!whole.is_object() || whole.erase("untold") == 0) return text;
  return whole.dump();
}

Answer ParseAnswer(const std::string& text) {
  try {
    return Parse(json::parse(text));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("no answer of a server: ") + error.what() + ": " +
                             text.substr(0, 200));
  }
}

}  // namespace parity::kv
