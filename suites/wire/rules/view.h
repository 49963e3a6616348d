// A transcript taken apart once, for all rules.
#ifndef GTEST_PARITY_SUITES_WIRE_RULES_VIEW_H_
#define GTEST_PARITY_SUITES_WIRE_RULES_VIEW_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "suites/wire/answers/answer.h"
#include "suites/wire/http/response.h"
#include "suites/wire/machines/automaton.h"
#include "suites/wire/sse/stream_event.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// What one request was answered.
struct AnswerView {
  const Request* request = nullptr;
  const Response* response = nullptr;  // null where there was none
  bool is_stream = false;
  SseStream sse;
  std::vector<StreamEvent> events;
  nlohmann::json body;  // of an answer that is no stream; null where it is no JSON
  Answer answer;
  MachineRun run;

  unsigned status() const { return response == nullptr ? 0 : response->status; }
  bool IsOk() const { return status() == 200; }
  // One of the four surfaces that generate.
  bool Generates() const;
  // The rule that tells that a stream has no beginning; empty where it has one, or is none.
  const std::string& no_beginning() const { return run.no_beginning; }
  // An answer that generation came to, without an error.
  bool HasAnswer() const {
    return IsOk() && Generates() && !answer.error && (is_stream || body.is_object());
  }
};

struct ExchangeView {
  const Exchange* exchange = nullptr;
  ResponseStream responses;
  std::vector<AnswerView> answers;  // one for each request
  // What is missing is the server's fault: the client waited for the end, and nothing lets the
  // server break off.
  bool ended = false;

  const std::string& name() const { return exchange->name; }
};

class SideView {
 public:
  // Looks into `transcript`, which must outlive it.
  explicit SideView(const Transcript& transcript);
  SideView(const SideView&) = delete;
  SideView& operator=(const SideView&) = delete;

  const std::vector<ExchangeView>& exchanges() const { return exchanges_; }
  // Null where there is none of that name, or `name` is empty.
  const ExchangeView* Find(std::string_view name) const;

 private:
  std::vector<ExchangeView> exchanges_;
  std::unordered_map<std::string_view, const ExchangeView*> by_name_;  // the first of each
};

// Each value that an answer consists of and a schema or profile is for: a body, or each event's
// data.
struct SentValue {
  std::string where;   // "body", "event 3"
  std::string schema;  // its name in schemas.h
  const nlohmann::json* value = nullptr;
};
std::vector<SentValue> SentValuesOf(const AnswerView& answer);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_RULES_VIEW_H_
