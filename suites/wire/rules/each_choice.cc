#include "suites/wire/rules/each_choice.h"

#include "suites/wire/answers/json_parts.h"

namespace parity::wire {

void EachChoice(const AnswerView& answer, const VisitChoice& visit) {
  const auto in = [&](const std::string& where, const nlohmann::json& whole) {
    const nlohmann::json& choices = PartOf(whole, "choices");
    if (!choices.is_array()) return;
    for (const nlohmann::json& choice : choices) visit(where, whole, choice);
  };
  if (!answer.is_stream) return in("body", answer.body);
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    in("event " + std::to_string(i), answer.events[i].data);
  }
}

}  // namespace parity::wire
