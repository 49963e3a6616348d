#include "suites/wire/rules/view.h"

#include "gtest_parity/manifest/json_text.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/machines/run_machine.h"
#include "suites/wire/schemas/schemas.h"

namespace parity::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;

// Null where it is no JSON, or more than one value.
json ParseWhole(const std::string& text) {
  if (EndsEarly(text) || !json::accept(text)) return nullptr;
  if (FindDeeper(text, kDeepest) != std::string::npos) return nullptr;
  return json::parse(text);
}

// A stream under another content type is still read as one, so that one rule tells of it.
bool IsStream(const Request& request, const Response& response) {
  const std::string* type = response.Find("content-type");
  if (type != nullptr && type->starts_with("text/event-stream")) return true;
  return request.streamed && response.status == 200 && !response.body.starts_with('{');
}

// A server may drop a client that does not read, and streams when it is told to stop.
bool MayBreakOff(const Exchange& exchange) {
  if (exchange.probe == "slow_reader") return exchange.Has(EventKind::kReset);
  return exchange.probe == "streamed_while_stopping";
}

AnswerView ViewOf(const Request& request, const Response* response, bool ended) {
  AnswerView view;
  view.request = &request;
  view.response = response;
  if (response == nullptr) return view;
  view.is_stream = IsStream(request, *response);
  if (!view.is_stream) {
    view.body = ParseWhole(response->body);
    view.answer = AnswerOfBody(request.surface, view.body);
    return view;
  }
  view.sse = DecodeSse(response->body);
  view.events = EventsOf(view.sse);
  view.answer = AnswerOfStream(request.surface, view.events);
  view.run = RunMachine(request.surface, view.events, ended);
  return view;
}

}  // namespace

bool AnswerView::Generates() const { return request->surface <= Surface::kResponses; }

SideView::SideView(const Transcript& transcript) {
  exchanges_.reserve(transcript.exchanges.size());
  for (const Exchange& exchange : transcript.exchanges) {
    ExchangeView& view = exchanges_.emplace_back();
    view.exchange = &exchange;
    by_name_.try_emplace(exchange.name, &view);
    const bool closed = exchange.Has(EventKind::kPeerClosed);
    std::vector<std::string> methods;
    for (const Request& request : exchange.requests) methods.push_back(request.method);
    view.responses = ParseResponses(exchange.Received(), closed, methods);
    const std::vector<const Response*> answers = view.responses.Answers();
    const bool complete = !answers.empty() && answers.back()->complete;
    view.ended = !MayBreakOff(exchange) && (complete || !exchange.ClientLeft());
    for (std::size_t i = 0; i < exchange.requests.size(); ++i) {
      view.answers.push_back(
          ViewOf(exchange.requests[i], i < answers.size() ? answers[i] : nullptr, view.ended));
    }
  }
}

const ExchangeView* SideView::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return name.empty() || found == by_name_.end() ? nullptr : found->second;
}

std::vector<SentValue> SentValuesOf(const AnswerView& answer) {
  std::vector<SentValue> values;
  const Surface surface = answer.request->surface;
  if (!answer.is_stream && answer.body.is_object()) {
    values.push_back({"body", SchemaNameOf(surface, false, answer.body), &answer.body});
  }
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const json& data = answer.events[i].data;
    if (data.is_null()) continue;
    values.push_back({"event " + std::to_string(i), SchemaNameOf(surface, true, data), &data});
  }
  return values;
}

}  // namespace parity::wire
