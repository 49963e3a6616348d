#include "suites/wire/transcript/import_capture.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity::wire {

Exchange ImportCapture(const std::string& path, const Request& request) {
  const std::filesystem::path file_path(path);
  const std::string kind = file_path.extension();
  if (kind != ".http" && kind != ".sse") {
    throw InvalidInput({{path, {}, "no capture by its name", Quoted(kind), ".http or .sse"}});
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file) throw InvalidInput({{path, {}, "cannot be read", "", "a capture of raw bytes"}});
  const bool has_head = kind == ".http";
  if (bytes.empty() || (has_head && !bytes.starts_with("HTTP/"))) {
    throw InvalidInput({{path,
                         {},
                         "no capture",
                         Quoted(bytes.substr(0, bytes.find('\n'))),
                         has_head ? "a status line: HTTP/1.1 200 OK" : "at least one byte"}});
  }
  Exchange exchange;
  exchange.name = file_path.stem();
  exchange.timed = false;
  exchange.has_head = has_head;
  exchange.requests = {request};
  const std::string head =
      has_head ? "" : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  exchange.events = {{EventKind::kReceived, 0, head + bytes}, {EventKind::kPeerClosed, 0, ""}};
  return exchange;
}

}  // namespace parity::wire
