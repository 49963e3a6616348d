// What the data of a stream's frames is: JSON, or the word that ends streams.
#ifndef GTEST_PARITY_SUITES_WIRE_SSE_STREAM_EVENT_H_
#define GTEST_PARITY_SUITES_WIRE_SSE_STREAM_EVENT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/wire/sse/sse_decoder.h"

namespace parity::wire {

struct StreamEvent {
  std::size_t frame = 0;  // its index among the stream's frames
  std::string name;       // by its line `event:`
  bool is_done = false;   // [DONE]
  nlohmann::json data;    // an object; null where it is none, or [DONE]
};

std::vector<StreamEvent> EventsOf(const SseStream& stream);

// A text of JSON escapes, which JSON forbids and some writers make of a cut code point: \ud83d
// without its other half.
bool HasLoneSurrogate(const std::string& json_text);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_SSE_STREAM_EVENT_H_
