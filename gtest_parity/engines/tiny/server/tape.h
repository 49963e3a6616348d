// What an answer consists of, whatever the surface: the head, then a tape of events.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_TAPE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_TAPE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "gtest_parity/engines/tiny/server/surface.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {

// In tokens. `reasoning` is a part of `output`.
struct Usage {
  std::uint64_t prompt = 0, cached = 0, output = 0, reasoning = 0;
};

struct Call {
  std::string id;  // "call_" and hexadecimal digits
  std::string name;
  std::string arguments;  // a JSON object as text
};

enum class Finish { kStop, kStopSequence, kLength, kToolCalls };

struct Ending {
  Finish finish = Finish::kStop;
  std::string stop_sequence;      // of kStopSequence
  bool reasoning_closed = false;  // or there was none
  Usage usage;
};

struct TapeEvent {
  enum class Kind { kReasoning, kText, kCall, kEnd, kFailure };
  Kind kind = Kind::kText;
  std::string text;  // of kReasoning and kText: what comes behind the text so far; UTF-8
  Call call = {};
  Ending ending = {};
  std::optional<WireError> error = {};  // of kFailure
};

// kCall comes behind all text. kEnd or kFailure is the last.
using Tape = std::vector<TapeEvent>;

// What is known before the first event.
struct AnswerHead {
  Surface surface = Surface::kChat;
  std::uint64_t number = 0;  // of this answer, in this process
  std::string digits;        // 24 hexadecimal ones, this answer's own
  std::int64_t created = 0;  // unix seconds
  std::string model;
  Usage usage;                  // the prompt's side
  bool include_usage = false;   // a stream of chat or completions tells it
  bool tells_reasoning = true;  // Responses: only where the client wants a summary
  Json echo = Json::object();   // Responses: the request's fields that the answer repeats
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_TAPE_H_
