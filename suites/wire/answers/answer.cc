#include "suites/wire/answers/answer.h"

#include <array>
#include <nlohmann/json.hpp>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity::wire {
namespace {

using nlohmann::json;

class Differences {
 public:
  void Text(const std::string& what, const std::string& got, const std::string& expected) {
    if (got == expected) return;
    std::size_t at = 0;
    while (at < got.size() && at < expected.size() && got[at] == expected[at]) ++at;
    const std::size_t from = at < 20 ? 0 : at - 20;
    lines_.push_back(what + ": differ at byte " + std::to_string(at) + ": got " +
                     Quoted(got.substr(from, 60)) + ", expected " +
                     Quoted(expected.substr(from, 60)));
  }
  void Name(const std::string& what, std::string_view got, std::string_view expected) {
    if (got == expected) return;
    lines_.push_back(what + ": got " + std::string(got) + ", expected " + std::string(expected));
  }
  // What only one of the two tells is not a difference of their counts.
  void Count(const std::string& what, const std::optional<std::int64_t>& got,
             const std::optional<std::int64_t>& expected) {
    if (!got || !expected) return;
    Name(what, std::to_string(*got), std::to_string(*expected));
  }
  std::vector<std::string> Take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

void AddFinish(const Choice& got, const Choice& expected, bool same_surface,
               const std::string& where, Differences& differences) {
  const auto shared = [&](Finish finish) {
    return !same_surface && finish == Finish::kStopString ? Finish::kStop : finish;
  };
  differences.Name(where + "finish", NameOf(shared(got.finish)), NameOf(shared(expected.finish)));
}

void AddTexts(const Choice& got, const Choice& expected, const std::string& where,
              Differences& differences) {
  differences.Text(where + "text", got.text, expected.text);
  differences.Text(where + "reasoning", got.reasoning, expected.reasoning);
  differences.Text(where + "refusal", got.refusal, expected.refusal);
  differences.Name(where + "tool calls", std::to_string(got.calls.size()),
                   std::to_string(expected.calls.size()));
  for (std::size_t i = 0; i < got.calls.size() && i < expected.calls.size(); ++i) {
    const std::string call = where + "call " + std::to_string(i) + " ";
    differences.Text(call + "name", got.calls[i].name, expected.calls[i].name);
    differences.Text(call + "arguments", got.calls[i].Canonical(), expected.calls[i].Canonical());
  }
}

std::vector<std::string> Compare(const Answer& got, const Answer& expected, bool same_surface,
                                 bool texts) {
  Differences differences;
  differences.Name("choices", std::to_string(got.choices.size()),
                   std::to_string(expected.choices.size()));
  for (std::size_t i = 0; i < got.choices.size() && i < expected.choices.size(); ++i) {
    const std::string where = i == 0 ? "" : "choice " + std::to_string(i) + " ";
    if (texts) AddTexts(got.choices[i], expected.choices[i], where, differences);
    AddFinish(got.choices[i], expected.choices[i], same_surface, where, differences);
  }
  const Usage got_usage = got.usage.value_or(Usage()),
              expected_usage = expected.usage.value_or(Usage());
  differences.Count("prompt tokens", got_usage.prompt, expected_usage.prompt);
  differences.Count("output tokens", got_usage.output, expected_usage.output);
  return differences.Take();
}

}  // namespace

std::string ToolCall::Canonical() const {
  const json parsed = json::parse(arguments, nullptr, false);
  return parsed.is_object() ? parsed.dump() : "";
}

std::string_view NameOf(Finish finish) {
  constexpr std::array<std::string_view, 8> kNames = {
      "none", "stop", "stop_string", "length", "tool_calls", "filter", "error", "other"};
  return kNames[static_cast<std::size_t>(finish)];
}

std::vector<std::string> DifferencesOf(const Answer& got, const Answer& expected,
                                       bool same_surface) {
  return Compare(got, expected, same_surface, true);
}

std::vector<std::string> CountDifferencesOf(const Answer& got, const Answer& expected,
                                            bool same_surface) {
  return Compare(got, expected, same_surface, false);
}

}  // namespace parity::wire
