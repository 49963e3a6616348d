#include "suites/wire/campaign/known.h"

#include <utf8.h>

#include <vector>

#include "suites/wire/answers/json_parts.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/rules/view.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// The half of a text from or up to its middle, by characters.
std::string Half(const std::string& text, bool last) {
  auto at = text.begin();
  const auto count = utf8::distance(text.begin(), text.end());
  utf8::advance(at, count / 2, text.end());
  return last ? std::string(at, text.end()) : std::string(text.begin(), at);
}

// What each event of a stream adds to the text.
std::vector<std::string> PiecesOf(Surface surface, const std::vector<StreamEvent>& events) {
  std::vector<std::string> pieces;
  for (const StreamEvent& event : events) {
    const Answer answer = AnswerOfStream(surface, {event});
    if (answer.choices.empty() || answer.choices[0].text.empty()) continue;
    pieces.push_back(answer.choices[0].text);
  }
  return pieces;
}

// Where no event's text ends, a stop string is found only by holding text back.
void AddStops(const std::vector<std::string>& pieces, json* values) {
  (*values)["pieces"] = pieces;
  if (!pieces.empty()) (*values)["last_piece"] = pieces.back();
  const std::size_t middle = pieces.size() / 2;
  if (middle == 0 || !utf8::is_valid(pieces[middle - 1] + pieces[middle])) return;
  (*values)["stop_at"] = pieces[middle];
  const std::string end = Half(pieces[middle - 1], true);
  const std::string begin =
      pieces[middle].size() < 2 ? pieces[middle] : Half(pieces[middle], false);
  (*values)["stop_inside"] = end + begin;
}

json ValuesOf(const Answer& answer) {
  json values = {{"id", answer.id}};
  if (answer.usage && answer.usage->prompt) values["prompt_tokens"] = *answer.usage->prompt;
  if (answer.usage && answer.usage->output) values["output_tokens"] = *answer.usage->output;
  if (answer.choices.empty()) return values;
  const Choice& choice = answer.choices[0];
  values["text"] = choice.text;
  values["reasoning"] = choice.reasoning;
  values["finish"] = choice.reason;
  values["calls"] = json::array();
  for (const ToolCall& call : choice.calls) {
    values["calls"].push_back(
        {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  }
  return values;
}

}  // namespace

void Known::Learn(const Probe& probe, Surface surface, const std::string& further,
                  const Exchange& exchange) {
  Transcript transcript;
  transcript.exchanges.push_back(exchange);
  const SideView view(transcript);
  const AnswerView& answer = view.exchanges()[0].answers[0];
  if (!answer.HasAnswer()) return;
  json values = ValuesOf(answer.answer);
  if (answer.is_stream) AddStops(PiecesOf(answer.request->surface, answer.events), &values);
  json& place = values_[std::string(NameOf(surface))][probe.name];
  json& at = further.empty() ? place : place[further];
  for (const auto& [key, value] : values.items()) at[key] = value;
}

}  // namespace parity::wire
