#include "suites/wire/transcript/write_transcript.h"

#include <utf8.h>

#include "suites/wire/transcript/base64.h"
#include "suites/wire/transcript/transcript_keys.h"

namespace parity::wire {
namespace {

using Json = nlohmann::ordered_json;

Json JsonOf(const Request& request) {
  Json json = {{"surface", NameOf(request.surface)},
               {"method", request.method},
               {"path", request.path},
               {"streamed", request.streamed}};
  if (!request.body.is_null()) json["body"] = request.body;
  return json;
}

Json JsonOf(const ConnectionEvent& event) {
  Json json = {{"at_us", event.at_us}};
  const std::string kind(NameOf(event.kind));
  if (!CarriesBytes(event.kind)) {
    json["event"] = kind;
  } else if (utf8::is_valid(event.bytes.begin(), event.bytes.end())) {
    json[kind] = event.bytes;
  } else {
    json[kind + "_base64"] = Base64(event.bytes);
  }
  return json;
}

}  // namespace

std::string HeadLine(const std::string& side, const std::string& server) {
  const Json head = {{"wire_transcript", kTranscriptVersion}, {"side", side}, {"server", server}};
  return head.dump() + "\n";
}

std::string LinesOf(const Exchange& exchange) {
  Json head = {{"exchange", exchange.name}};
  for (const auto& [key, member] : kExchangeTexts) {
    if (!(exchange.*member).empty()) head[key] = exchange.*member;
  }
  if (!exchange.timed) head["timed"] = false;
  if (!exchange.has_head) head["has_head"] = false;
  for (const Request& request : exchange.requests) head["requests"].push_back(JsonOf(request));
  std::string text = head.dump() + "\n";
  for (const ConnectionEvent& event : exchange.events) text += JsonOf(event).dump() + "\n";
  return text + Json({{"end", exchange.events.size()}}).dump() + "\n";
}

std::string TextOf(const Transcript& transcript) {
  std::string text = HeadLine(transcript.side, transcript.server);
  for (const Exchange& exchange : transcript.exchanges) text += LinesOf(exchange);
  return text;
}

}  // namespace parity::wire
