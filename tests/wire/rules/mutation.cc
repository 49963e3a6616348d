#include "tests/wire/rules/mutation.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace parity::wire::testing {
namespace {

using Events = std::vector<ConnectionEvent>;

Events::iterator Find(Exchange& exchange, const std::string& text, bool last = false) {
  Events& events = exchange.events;
  auto found = events.end();
  for (auto at = events.begin(); at != events.end(); ++at) {
    if (at->kind != EventKind::kReceived || at->bytes.find(text) == std::string::npos) continue;
    if (found == events.end() || last) found = at;
  }
  if (found == events.end()) throw std::runtime_error(exchange.name + " has no " + text);
  return found;
}

}  // namespace

Edit Replace(const std::string& find, const std::string& with) {
  return [=](Exchange& exchange) {
    std::string& bytes = Find(exchange, find)->bytes;
    bytes.replace(bytes.find(find), find.size(), with);
  };
}

Edit ReplaceLast(const std::string& find, const std::string& with) {
  return [=](Exchange& exchange) {
    std::string& bytes = Find(exchange, find, true)->bytes;
    bytes.replace(bytes.rfind(find), find.size(), with);
  };
}

Edit ReplaceAll(const std::string& find, const std::string& with) {
  return [=](Exchange& exchange) {
    Find(exchange, find);
    for (ConnectionEvent& event : exchange.events) {
      for (std::size_t at = 0; (at = event.bytes.find(find, at)) != std::string::npos;) {
        if (event.kind != EventKind::kReceived) break;
        event.bytes.replace(at, find.size(), with);
        at += with.size();
      }
    }
  };
}

Edit Drop(const std::string& containing) {
  return [=](Exchange& exchange) { exchange.events.erase(Find(exchange, containing)); };
}

Edit DropLast(const std::string& containing) {
  return [=](Exchange& exchange) { exchange.events.erase(Find(exchange, containing, true)); };
}

Edit Repeat(const std::string& containing) {
  return [=](Exchange& exchange) {
    const auto at = Find(exchange, containing);
    const ConnectionEvent copy = *at;
    exchange.events.insert(at, copy);
  };
}

Edit SwapWithNext(const std::string& containing) {
  return [=](Exchange& exchange) {
    const auto at = Find(exchange, containing);
    std::swap(at->bytes, std::next(at)->bytes);
  };
}

Edit Append(const std::string& text) {
  return [=](Exchange& exchange) { Find(exchange, "", true)->bytes += text; };
}

Edit DropKind(EventKind kind) {
  return [=](Exchange& exchange) {
    std::erase_if(exchange.events,
                  [&](const ConnectionEvent& event) { return event.kind == kind; });
  };
}

Edit AddEvent(EventKind kind) {
  return [=](Exchange& exchange) {
    exchange.events.push_back({kind, exchange.events.back().at_us, ""});
  };
}

Edit Then(const Edit& first, const Edit& second) {
  return [=](Exchange& exchange) {
    first(exchange);
    second(exchange);
  };
}

void MendLengths(Exchange& exchange) {
  static const std::regex length("Content-Length: [0-9]+");
  for (ConnectionEvent& event : exchange.events) {
    const std::size_t end = event.bytes.find("\r\n\r\n");
    if (event.kind != EventKind::kReceived || end == std::string::npos) continue;
    if (!event.bytes.starts_with("HTTP/")) continue;
    const std::string body = event.bytes.substr(end + 4);
    const std::string head = std::regex_replace(event.bytes.substr(0, end), length,
                                                "Content-Length: " + std::to_string(body.size()));
    event.bytes = head + "\r\n\r\n" + body;
  }
}

}  // namespace parity::wire::testing
