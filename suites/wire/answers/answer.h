// What an answer says, whatever the surface says it in.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_ANSWER_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_ANSWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

// Why generation ended. A surface without a reason of its own for stop strings says kStop.
enum class Finish { kNone, kStop, kStopString, kLength, kToolCalls, kFilter, kError, kOther };

struct ToolCall {
  std::string id, name;
  std::string arguments;  // JSON as the server spells it
  // The arguments with keys in order and without blanks; empty where they are no JSON object.
  std::string Canonical() const;
};

struct Choice {
  std::string text, reasoning, refusal;
  std::vector<ToolCall> calls;
  Finish finish = Finish::kNone;
  std::string reason;  // as the surface spells it
};

// Tokens; nothing where the surface does not tell.
struct Usage {
  std::optional<std::int64_t> prompt;   // all of it, cached or not
  std::optional<std::int64_t> cached;   // of the prompt
  std::optional<std::int64_t> written;  // of the prompt, into the cache
  std::optional<std::int64_t> output, reasoning, total;
  bool operator==(const Usage&) const = default;
};

struct AnswerError {
  std::string type, code, param, message;
};

struct Answer {
  std::string id, model;
  std::optional<std::int64_t> created;  // seconds since 1970
  std::vector<Choice> choices;          // by index; Messages and Responses have one
  std::optional<Usage> usage;
  std::optional<AnswerError> error;
  std::string stop_string;  // that ended it, where the surface tells
};

std::string_view NameOf(Finish finish);  // "tool_calls"

struct Difference {
  enum class Kind { kText, kFinish, kCount };
  Kind kind;
  std::string what, got, expected;
};

// Where two answers to the same request differ. Ids, models and times are the answers' own.
// `same_surface`: a stop string's own finish counts.
std::vector<Difference> DifferencesOf(const Answer& got, const Answer& expected, bool same_surface);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_ANSWER_H_
