// What went over one connection to a server and when, and what was asked on it.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_EXCHANGE_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_EXCHANGE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

// By the path that is asked.
enum class Surface {
  kChat,
  kCompletions,
  kMessages,
  kResponses,
  kModels,
  kStats,
  kMetrics,
  kOther
};

enum class EventKind {
  kSent,        // the client wrote bytes
  kReceived,    // the client read bytes
  kHalfClosed,  // the client shut its writing side
  kClosed,      // the client closed the connection
  kPeerClosed,  // the client read the end: the server wrote all that it will
  kReset,       // the connection was reset, while reading or writing
  kRefused,     // there was no connection
  kTimedOut,    // the client gave up waiting, and closed
};

struct ConnectionEvent {
  EventKind kind = EventKind::kSent;
  std::int64_t at_us = 0;  // since the client began to connect; never falls
  std::string bytes;       // of kSent and kReceived; not empty there
};

// What a client meant to ask, whatever bytes it used to do so.
struct Request {
  Surface surface = Surface::kOther;
  std::string method = "POST";
  std::string path;
  bool streamed = false;
  nlohmann::json body;  // null where there is none, or none that is JSON
};

// Names of exchanges are cases of the same transcript.
struct Exchange {
  std::string name;  // of the case: "chat/stop_string/streamed"; both sides' are paired by it
  std::string lane;  // of the engine, which should serve it; empty: any
  // What the case tries beyond a plain request, which rules of its own are for: "chunked_request".
  std::string probe;
  // The same thing asked in a way that must make no difference: text, finish and counts are equal.
  std::string same_as;
  std::string same_prompt_as;  // other words around the same prompt: its tokens are as many
  std::string cut_of;   // the same request without its stop strings: the text is cut at the first
  std::string warm_of;  // the same prompt, sent before and still held by the server
  // A scrape that was taken before or after another exchange, with nothing else in between.
  std::string before, after;
  std::string marker;             // a text that this prompt asks for, and no other exchange's
  bool timed = true;              // false: the times say nothing, as of a capture
  bool has_head = true;           // false: the capture had a body alone, and its head is made up
  std::vector<Request> requests;  // in the order sent; at least one
  std::vector<ConnectionEvent> events;

  // All bytes of one kind of event, joined.
  std::string Received() const;
  std::string Sent() const;
  // When the byte at `offset` of what was received was read; of the last one where there are fewer.
  std::int64_t ReceivedAt(std::size_t offset) const;
  bool Has(EventKind kind) const;
  // The client broke it off before the server ended it; not by waiting in vain.
  bool ClientLeft() const;
};

struct Transcript {
  std::string side;    // "reference" or "candidate"
  std::string server;  // in words: what answered
  std::vector<Exchange> exchanges;

  const Exchange* Find(std::string_view name) const;
};

std::string_view NameOf(Surface surface);  // "chat"
std::string_view NameOf(EventKind kind);   // "received"
bool ParseName(std::string_view name, Surface* out);
bool ParseName(std::string_view name, EventKind* out);
std::vector<std::string> SurfaceNames();
std::vector<std::string> EventKindNames();
bool CarriesBytes(EventKind kind);

// Of a path, its query cut off.
Surface SurfaceOf(std::string_view path);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_EXCHANGE_H_
