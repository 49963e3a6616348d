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
    all_.push_back({Difference::Kind::kText, what + " from byte " + std::to_string(at),
                    Quoted(got.substr(from, 60)), Quoted(expected.substr(from, 60))});
  }
  void Number(const std::string& what, std::size_t got, std::size_t expected) {
    if (got == expected) return;
    all_.push_back({Difference::Kind::kText, what, std::to_string(got), std::to_string(expected)});
  }
  void Reason(const std::string& what, Finish got, Finish expected) {
    if (got == expected) return;
    all_.push_back(
        {Difference::Kind::kFinish, what, std::string(NameOf(got)), std::string(NameOf(expected))});
  }
  // What only one of the two tells is not a difference of their counts.
  void Count(const std::string& what, const std::optional<std::int64_t>& got,
             const std::optional<std::int64_t>& expected) {
    if (!got || !expected || *got == *expected) return;
    all_.push_back(
        {Difference::Kind::kCount, what, std::to_string(*got), std::to_string(*expected)});
  }
  std::vector<Difference> Take() { return std::move(all_); }

 private:
  std::vector<Difference> all_;
};

void AddChoice(const Choice& got, const Choice& expected, const std::string& where,
               bool same_surface, Differences& differences) {
  differences.Text(where + "text", got.text, expected.text);
  differences.Text(where + "reasoning", got.reasoning, expected.reasoning);
  differences.Text(where + "refusal", got.refusal, expected.refusal);
  differences.Number(where + "tool calls", got.calls.size(), expected.calls.size());
  for (std::size_t i = 0; i < got.calls.size() && i < expected.calls.size(); ++i) {
    const std::string call = where + "call " + std::to_string(i) + " ";
    differences.Text(call + "name", got.calls[i].name, expected.calls[i].name);
    differences.Text(call + "arguments", got.calls[i].Canonical(), expected.calls[i].Canonical());
  }
  const auto shared = [&](Finish finish) {
    return !same_surface && finish == Finish::kStopString ? Finish::kStop : finish;
  };
  differences.Reason(where + "finish", shared(got.finish), shared(expected.finish));
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

std::vector<Difference> DifferencesOf(const Answer& got, const Answer& expected,
                                      bool same_surface) {
  Differences differences;
  differences.Number("choices", got.choices.size(), expected.choices.size());
  for (std::size_t i = 0; i < got.choices.size() && i < expected.choices.size(); ++i) {
    const std::string where = i == 0 ? "" : "choice " + std::to_string(i) + " ";
    AddChoice(got.choices[i], expected.choices[i], where, same_surface, differences);
  }
  const Usage mine = got.usage.value_or(Usage()), theirs = expected.usage.value_or(Usage());
  differences.Count("prompt tokens", mine.prompt, theirs.prompt);
  differences.Count("output tokens", mine.output, theirs.output);
  return differences.Take();
}

}  // namespace parity::wire
