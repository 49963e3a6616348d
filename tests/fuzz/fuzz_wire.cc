// What servers send: any bytes are read as responses and as a stream, to the same events whatever
// pieces they come in; all rules go over them, on every surface, and a transcript of them is read
// as it was written. As a transcript they are read or refused with InvalidInput.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/judge/judge_wire.h"
#include "suites/wire/metrics/exposition.h"
#include "suites/wire/transcript/read_transcript.h"
#include "suites/wire/transcript/write_transcript.h"

namespace {

using parity::wire::EventKind;
using parity::wire::Exchange;
using parity::wire::Surface;
using parity::wire::Transcript;

Exchange Received(const std::string& name, Surface surface, const std::string& bytes) {
  Exchange exchange;
  exchange.name = name;
  exchange.requests = {{surface, "POST", "/", true, nullptr}};
  if (!bytes.empty()) exchange.events = {{EventKind::kReceived, 0, bytes}};
  exchange.events.push_back({EventKind::kPeerClosed, 0, ""});
  return exchange;
}

void CheckPieces(const std::string& bytes) {
  parity::wire::SseDecoder decoder;
  for (const char byte : bytes) decoder.Feed(std::string(1, byte));
  if (!(decoder.End() == parity::wire::DecodeSse(bytes))) std::abort();
}

void CheckTranscript(const Transcript& transcript) {
  const std::string text = TextOf(transcript);
  const Transcript read = parity::wire::ReadTranscriptText("fuzz.jsonl", text);
  if (TextOf(read) != text) std::abort();
  const parity::wire::SideView side(transcript);
  // Of two servers that say the same, nothing is the candidate's alone.
  if (!JudgeWire(side, side, {}, {}).Failing().empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  CheckPieces(bytes);
  parity::wire::ParseExposition(bytes);
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  Transcript transcript = {"candidate", "fuzzed", {}};
  for (const std::string& surface : parity::wire::SurfaceNames()) {
    Surface of = Surface::kOther;
    parity::wire::ParseName(surface, &of);
    transcript.exchanges.push_back(Received(surface + "/http", of, bytes));
    transcript.exchanges.push_back(Received(surface + "/sse", of, head + bytes));
  }
  CheckTranscript(transcript);
  try {
    CheckTranscript(parity::wire::ReadTranscriptText("fuzz.jsonl", bytes));
  } catch (const parity::InvalidInput&) {
  }
  return 0;
}
