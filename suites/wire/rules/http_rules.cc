// H-06 to H-10, H-13: what the bytes of a response say, below the surfaces.
#include <algorithm>
#include <cctype>
#include <sstream>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_text.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string HeaderOf(const Response& response, const char* name) {
  const std::string* value = response.Find(name);
  return value == nullptr ? "none" : *value;
}

bool Speaks(const Subject& subject) {
  return subject.meta().has_head && subject.answer.response != nullptr;
}

void CheckReuse(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    const std::vector<const Response*> answers = view.responses.Answers();
    if (!view.exchange->has_head || view.exchange->probe == "pipelined" || answers.empty())
      continue;
    const std::string count = std::to_string(answers.size()) + " answers";
    report.Expect(
        answers.size() <= view.answers.size(), view.name(), "", count,
        std::to_string(view.answers.size()) + ": bytes of a request were taken for another");
    const bool closes = !answers.back()->keeps_alive;
    if (closes) {
      report.Expect(!view.exchange->Has(EventKind::kTimedOut) || !answers.back()->complete,
                    view.name(), "", "a connection left open", "closed, as the answer says");
    } else if (answers.size() < view.answers.size() && !view.exchange->ClientLeft()) {
      report.Expect(false, view.name(), "", count, "another, as the answer keeps the connection");
    }
  }
}

// Whether an answer is of the kind that its request asks for.
bool Fits(const AnswerView& view) {
  if (view.response == nullptr || !view.IsOk()) return true;
  if (view.request->streamed != view.is_stream) return false;
  const std::string object = TextIn(view.body, "object");
  if (view.is_stream || object.empty()) return true;
  const Surface surface = view.request->surface;
  if (surface == Surface::kModels) {
    return object == (view.request->path == "/v1/models" ? "list" : "model");
  }
  if (surface == Surface::kChat) return object == "chat.completion";
  if (surface == Surface::kCompletions) return object == "text_completion";
  return surface != Surface::kResponses || object == "response";
}

void CheckPipelined(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    if (view.exchange->probe != "pipelined") continue;
    const std::vector<const Response*> answers = view.responses.Answers();
    report.Expect(
        answers.size() == view.answers.size() ||
            (answers.size() < view.answers.size() && view.exchange->Has(EventKind::kPeerClosed)),
        view.name(), "", std::to_string(answers.size()) + " answers",
        std::to_string(view.answers.size()) + ", or the connection closed");
    for (std::size_t i = 0; i < view.answers.size(); ++i) {
      report.Expect(
          Fits(view.answers[i]), view.name(), "answer " + std::to_string(i),
          Quoted(view.answers[i].response == nullptr ? "" : view.answers[i].response->body),
          "an answer of " + std::string(NameOf(view.answers[i].request->surface)));
    }
  }
}

bool HasJsonBody(const AnswerView& answer) {
  return !answer.is_stream && answer.response->framing != Framing::kNoBody &&
         answer.request->method != "OPTIONS" && answer.request->surface != Surface::kMetrics &&
         !(answer.request->streamed && answer.IsOk());
}

void CheckBuffered(const Subject& subject, Report& report) {
  if (!Speaks(subject) || !HasJsonBody(subject.answer)) return;
  const Response& response = *subject.answer.response;
  report.Expect(Lower(HeaderOf(response, "content-type")).starts_with("application/json"),
                subject.name(), "Content-Type", HeaderOf(response, "content-type"),
                "application/json");
  report.Expect(response.framing != Framing::kUntilClose, subject.name(), "body", "until close",
                "Content-Length or chunked coding");
  report.Expect(
      response.Find("content-length") == nullptr || response.Find("transfer-encoding") == nullptr,
      subject.name(), "head", "Content-Length and Transfer-Encoding", "one of them");
  if (!response.complete && subject.exchange.ended) {
    report.Add(subject.name(), "body",
               std::to_string(response.body_bytes) + " bytes, " + subject.exchange.responses.error,
               response.framing == Framing::kLength
                   ? std::to_string(response.declared_length) + " bytes"
                   : "its last chunk");
    return;
  }
  const std::string& rest = subject.exchange.responses.rest;
  report.Expect(rest.empty(), subject.name(), "behind the body", Quoted(rest), "nothing");
  if (!rest.empty() || !response.complete) return;
  if (!response.coding_error.empty()) return report.Follow(subject.name(), "H-08.coding");
  report.Expect(!subject.answer.body.is_null(), subject.name(), "body", Quoted(response.body),
                "one JSON value");
  if (subject.answer.body.is_null()) return;
  for (const DuplicateKey& twice : FindDuplicateKeys(response.body)) {
    report.Add(subject.name(), "body", "key " + Quoted(twice.key) + " twice", "once");
  }
}

void CheckStream(const Subject& subject, Report& report) {
  if (!Speaks(subject) || !subject.answer.IsOk()) return;
  if (!subject.answer.request->streamed && !subject.answer.is_stream) return;
  const Response& response = *subject.answer.response;
  const std::string type = Lower(HeaderOf(response, "content-type"));
  report.Expect(type.starts_with("text/event-stream"), subject.name(), "Content-Type", type,
                "text/event-stream");
  report.Expect(response.Find("content-length") == nullptr, subject.name(), "Content-Length",
                HeaderOf(response, "content-length"), "none on a stream");
  if (!subject.exchange.ended) return;
  report.Expect(response.complete, subject.name(), "body", subject.exchange.responses.error,
                "ended by its last chunk");
  report.Expect(!response.complete || subject.exchange.responses.rest.empty(), subject.name(),
                "behind the body", Quoted(subject.exchange.responses.rest), "nothing");
}

std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream parts(Lower(list));
  for (std::string name; std::getline(parts, name, ',');) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

// The value of a header that the client sent; requests here are whole and plain.
std::string SentHeader(const Exchange& exchange, const std::string& name) {
  std::istringstream lines(exchange.Sent());
  for (std::string line; std::getline(lines, line);) {
    if (!Lower(line).starts_with(name + ":")) continue;
    line.erase(line.find_last_not_of("\r ") + 1);
    return line.substr(std::min(line.size(), line.find_first_not_of(' ', name.size() + 1)));
  }
  return "";
}

void CheckPreflight(const Subject& subject, Report& report) {
  const Response& response = *subject.answer.response;
  report.Expect(response.status == 200 || response.status == 204, subject.name(), "status",
                std::to_string(response.status), "200 or 204");
  report.Expect(response.body.empty(), subject.name(), "body", Quoted(response.body), "none");
  const std::string allowed = HeaderOf(response, "access-control-allow-headers");
  const std::vector<std::string> names = NamesIn(allowed);
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& asked :
       NamesIn(SentHeader(subject.meta(), "access-control-request-headers"))) {
    // What carries a credential is never covered by the star.
    report.Expect(has(asked) || (has("*") && asked != "authorization"), subject.name(),
                  "Access-Control-Allow-Headers", allowed, "also " + asked);
  }
}

// A browser reads no answer, also none that tells of an error, without this header.
void CheckCors(const SideView& side, Report& report) {
  bool served = false;
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      const Subject subject = {side, view, answer};
      if (!Speaks(subject) || answer.request->method != "OPTIONS") continue;
      CheckPreflight(subject, report);
      served = served || answer.response->Find("access-control-allow-origin") != nullptr;
    }
  }
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      if (!served || !Speaks({side, view, answer})) continue;
      report.Expect(answer.response->Find("access-control-allow-origin") != nullptr, view.name(),
                    "Access-Control-Allow-Origin", "none", "as the preflight was told");
    }
  }
}

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

void CheckRetryHeaders(const Subject& subject, Report& report) {
  if (!Speaks(subject)) return;
  const Response& response = *subject.answer.response;
  if (const std::string* after = response.Find("retry-after")) {
    // A date is told by its time zone.
    report.Expect(IsNumber(*after) || after->ends_with("GMT"), subject.name(), "Retry-After",
                  *after, "seconds or a date");
  }
  if (const std::string* after = response.Find("retry-after-ms")) {
    report.Expect(IsNumber(*after), subject.name(), "retry-after-ms", *after, "milliseconds");
  }
  if (const std::string* should = response.Find("x-should-retry")) {
    report.Expect(*should == "true" || *should == "false", subject.name(), "x-should-retry",
                  *should, "true or false");
  }
}

constexpr Rule kRules[] = {
    {"H-06", Layer::kCore, kAll, "", "a connection is closed or can be used again", CheckReuse},
    {"H-07", Layer::kCore, kAll, "probe pipelined", "pipelined requests are answered in order",
     CheckPipelined},
    {"H-08", Layer::kCore, kAll, "", "a whole answer is one JSON value of exact length",
     CheckBuffered},
    {"H-09", Layer::kCore, kGenerating, "", "a stream has its type, no length, and an end",
     CheckStream},
    {"H-10", Layer::kCore, kAll, "an OPTIONS request", "browsers may send what SDKs send",
     CheckCors},
    {"H-13", Layer::kCore, kAll, "", "headers about retries are what SDKs parse",
     CheckRetryHeaders},
};

}  // namespace

std::span<const Rule> HttpRules() { return kRules; }

}  // namespace parity::wire
