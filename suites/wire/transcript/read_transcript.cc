#include "suites/wire/transcript/read_transcript.h"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/transcript/base64.h"
#include "suites/wire/transcript/transcript_keys.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::vector<JsonObject::Key> ExchangeKeys() {
  std::vector<JsonObject::Key> keys = {
      {"exchange", true}, {"requests", true}, {"timed"}, {"has_head"}};
  for (const auto& [key, member] : kExchangeTexts) keys.push_back({key});
  return keys;
}

std::vector<JsonObject::Key> EventKeys() {
  std::vector<JsonObject::Key> keys = {{"at_us", true}, {"event"}};
  for (const EventKind kind : {EventKind::kSent, EventKind::kReceived}) {
    keys.push_back({std::string(NameOf(kind))});
    keys.push_back({std::string(NameOf(kind)) + "_base64"});
  }
  return keys;
}

class TranscriptReader {
 public:
  explicit TranscriptReader(std::string name) : name_(std::move(name)) {}

  Transcript Read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      ReadLine(line);
    }
    if (line_ == 0) Add("empty", "", "a line with \"wire_transcript\"");
    if (open_) Add("the last exchange does not end", "", "a line with \"end\"");
    CheckNames();
    errors_.ThrowIfAny();
    return std::move(transcript_);
  }

 private:
  void Add(const std::string& what, const std::string& got, const std::string& expected) {
    errors_.Add({name_, {line_, 0}, what, got, expected});
  }

  void ReadLine(const std::string& line) {
    try {
      JsonSource source(name_, line);
      ReadValue(source.root(), source);
      source.ThrowIfAny();
    } catch (const InvalidInput& error) {
      for (Diagnostic diagnostic : error.diagnostics()) {
        diagnostic.at.line = line_;
        errors_.Add(std::move(diagnostic));
      }
    }
  }

  void ReadValue(const json& value, JsonSource& source) {
    if (line_ == 1) return ReadHead(value, source);
    if (value.contains("exchange")) return BeginExchange(value, source);
    if (!open_) {
      return Add("a line outside an exchange", Shown(value), "a line with \"exchange\"");
    }
    if (value.contains("end")) return EndExchange(value, source);
    ReadEvent(value, source);
  }

  void ReadHead(const json& value, JsonSource& source) {
    const JsonObject head(value, "", {{"wire_transcript", true}, {"side", true}, {"server", true}},
                          &source);
    if (const json* version = head.Find("wire_transcript")) {
      if (*version != kTranscriptVersion) {
        Add("wire_transcript (the format's version)", Shown(*version),
            std::to_string(kTranscriptVersion));
      }
    }
    head.Read("side", &transcript_.side);
    head.Read("server", &transcript_.server);
    if (!transcript_.side.empty() && transcript_.side != "reference" &&
        transcript_.side != "candidate") {
      Add("side", Quoted(transcript_.side), "\"reference\" or \"candidate\"");
    }
  }

  void BeginExchange(const json& value, JsonSource& source) {
    if (open_) Add("an exchange begins", "", "the \"end\" of the one before it");
    open_ = true;
    Exchange& exchange = transcript_.exchanges.emplace_back();
    const JsonObject object(value, "", ExchangeKeys(), &source);
    object.Read("exchange", &exchange.name);
    if (!lines_.emplace(exchange.name, line_).second) {
      Add("exchange: used before", Quoted(exchange.name), "a name of its own");
    }
    for (const auto& [key, member] : kExchangeTexts) object.Read(key, &(exchange.*member));
    object.Read("timed", &exchange.timed);
    object.Read("has_head", &exchange.has_head);
    const json& requests = object.Array("requests");
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ReadRequest(requests[i], Pointer("/requests", std::to_string(i)), source, exchange);
    }
    if (object.Find("requests") != nullptr && requests.empty()) {
      Add("requests", "none", "at least one");
    }
  }

  void ReadRequest(const json& value, const std::string& pointer, JsonSource& source,
                   Exchange& exchange) {
    Request& request = exchange.requests.emplace_back();
    const JsonObject object(
        value, pointer,
        {{"surface", true}, {"method", true}, {"path", true}, {"streamed", true}, {"body"}},
        &source);
    std::string surface;
    object.Read("surface", &surface);
    if (!surface.empty() && !ParseName(surface, &request.surface)) {
      source.Add(object.PointerOf("surface"), "unknown surface", Quoted(surface),
                 ExpectedName(surface, SurfaceNames()));
    }
    object.Read("method", &request.method);
    object.Read("path", &request.path);
    object.Read("streamed", &request.streamed);
    if (const json* body = object.Find("body")) request.body = *body;
  }

  void EndExchange(const json& value, JsonSource& source) {
    open_ = false;
    const JsonObject object(value, "", {{"end", true}}, &source);
    std::uint64_t count = 0;
    object.Read("end", 0, &count);
    const std::size_t events = transcript_.exchanges.back().events.size();
    if (count != events) {
      Add("end (the number of its events)", std::to_string(count), std::to_string(events));
    }
  }

  void ReadEvent(const json& value, JsonSource& source) {
    Exchange& exchange = transcript_.exchanges.back();
    const JsonObject object(value, "", EventKeys(), &source);
    std::uint64_t at = 0;
    object.Read("at_us", 0, &at);
    ConnectionEvent event;
    event.at_us = static_cast<std::int64_t>(at);
    if (value.size() != 2) {
      Add("an event", Shown(value), "\"at_us\" and one of \"event\", \"sent\", \"received\"");
    } else if (object.Find("event") != nullptr) {
      ReadKind(object, source, &event);
    } else {
      ReadBytes(object, source, &event);
    }
    if (!exchange.events.empty() && event.at_us < exchange.events.back().at_us) {
      Add("at_us falls", std::to_string(event.at_us),
          "at least " + std::to_string(exchange.events.back().at_us));
    }
    exchange.events.push_back(std::move(event));
  }

  static void ReadKind(const JsonObject& object, JsonSource& source, ConnectionEvent* event) {
    std::string kind;
    object.Read("event", &kind);
    if (kind.empty()) return;
    if (!ParseName(kind, &event->kind) || CarriesBytes(event->kind)) {
      source.Add(object.PointerOf("event"), "unknown event", Quoted(kind),
                 ExpectedName(kind, EventKindNames()));
    }
  }

  static void ReadBytes(const JsonObject& object, JsonSource& source, ConnectionEvent* event) {
    for (const EventKind kind : {EventKind::kSent, EventKind::kReceived}) {
      const std::string name(NameOf(kind));
      if (object.Find(name) != nullptr) {
        event->kind = kind;
        object.Read(name, &event->bytes);
      } else if (object.Find(name + "_base64") != nullptr) {
        event->kind = kind;
        std::string text;
        object.Read(name + "_base64", &text);
        if (const auto bytes = FromBase64(text)) {
          event->bytes = *bytes;
        } else {
          source.Add(object.PointerOf(name + "_base64"), "wrong value", Quoted(text), "base64");
        }
      }
    }
  }

  void CheckNames() {
    for (const Exchange& exchange : transcript_.exchanges) {
      for (const auto& [key, member] : kExchangeNames) {
        const std::string& named = exchange.*member;
        if (named.empty() || (lines_.contains(named) && named != exchange.name)) continue;
        errors_.Add({name_,
                     {lines_.at(exchange.name), 0},
                     key,
                     Quoted(named),
                     "the name of another exchange"});
      }
    }
  }

  std::string name_;
  std::uint32_t line_ = 0;
  bool open_ = false;
  Transcript transcript_;
  std::map<std::string, std::uint32_t> lines_;  // of each exchange's name
  Diagnostics errors_;
};

}  // namespace

Transcript ReadTranscript(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw InvalidInput({{path, {}, "cannot be read", "", "a transcript (JSON lines)"}});
  return ReadTranscriptText(path, text);
}

Transcript ReadTranscriptText(const std::string& name, const std::string& text) {
  return TranscriptReader(name).Read(text);
}

}  // namespace parity::wire
