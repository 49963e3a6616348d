#include "suites/wire/campaign/plan_asks.h"

#include <algorithm>
#include <map>

#include "gtest_parity/manifest/json_text.h"
#include "gtest_parity/manifest/resolve.h"
#include "suites/wire/probes/render_ask.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// A client that waits for "100 Continue" does not wait for ever.
constexpr std::uint64_t kContinueMilliseconds = 1000;

const std::map<Surface, std::string>& Paths() {
  static const std::map<Surface, std::string> kPaths = {{Surface::kChat, "/v1/chat/completions"},
                                                        {Surface::kCompletions, "/v1/completions"},
                                                        {Surface::kMessages, "/v1/messages"},
                                                        {Surface::kResponses, "/v1/responses"}};
  return kPaths;
}

// Null for what is no JSON, or nested deeper than a transcript can have it.
json ReadableBody(const std::string& text) {
  constexpr std::size_t kDeepest = 32;
  if (!json::accept(text) || FindDeeper(text, kDeepest) != std::string::npos) return nullptr;
  return json::parse(text);
}

class Planner {
 public:
  Planner(const Place& place, const Ask& ask, const AskContext& context)
      : place_(place),
        ask_(ask),
        context_(context),
        surface_(ask.surface.value_or(place.surface)),
        streamed_(Generates(surface_) && ask.streamed.value_or(place.way == Way::kStreamed)) {}

  PlannedAsk Plan(const std::string& name, const std::string& copy) {
    copy_ = copy;
    PlannedAsk planned;
    planned.further = ask_.name;
    Exchange& exchange = planned.exchange;
    exchange.name = name;
    exchange.lane = ServedBy(place_, *context_.lane);
    exchange.probe = ask_.probe;
    exchange.marker = Filled(ask_.marker).get<std::string>();
    Link(&exchange);
    const RequestBytes bytes = Bytes();
    Request request;
    request.surface = surface_;
    request.method = bytes.method;
    request.path = bytes.path + bytes.form.query;
    request.streamed = streamed_;
    request.body = ReadableBody(bytes.body);
    exchange.requests.assign(ask_.times, request);
    AddSteps(BytesOf(bytes), &planned.script);
    planned.script.methods.assign(ask_.times, bytes.method);
    planned.script.seconds = context_.probes->limits.seconds;
    planned.script.receive_buffer = ask_.receive_buffer;
    return planned;
  }

 private:
  // {surface} of the probe, {copy} for the number of the copy, and then ${/pointers}.
  json Filled(const json& value) const {
    const json named = With("{surface}", std::string(NameOf(place_.surface)), value);
    try {
      return Resolve(With("{copy}", copy_, named), *context_.known);
    } catch (const std::runtime_error& error) {
      throw NotAnswered(error.what());
    }
  }

  static json With(std::string_view name, const std::string& filling, const json& value) {
    if (value.is_structured()) {
      json filled = value;
      for (json& part : filled) part = With(name, filling, part);
      return filled;
    }
    if (!value.is_string()) return value;
    std::string text = value.get<std::string>();
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
      text.replace(at, name.size(), filling);
      at += filling.size();
    }
    return text;
  }

  RequestBytes Bytes() const {
    RequestBytes bytes;
    bytes.form = ask_.form;
    bytes.headers = ask_.headers;
    const auto path = Paths().find(surface_);
    bytes.path = !ask_.path.empty() ? Filled(ask_.path).get<std::string>()
                                    : (path == Paths().end() ? "" : path->second);
    const bool has_body =
        ask_.raw || !ask_.ask.is_null() || !ask_.body.empty() || !ask_.set.empty();
    bytes.method = !ask_.method.empty() ? ask_.method : (has_body ? "POST" : "GET");
    if (ask_.raw) {
      bytes.body = *ask_.raw;
    } else if (has_body) {
      bytes.body = Body().dump();
    }
    if (surface_ == Surface::kMessages && has_body) {
      bytes.headers.emplace_back("anthropic-version", "2023-06-01");
    }
    return bytes;
  }

  json Body() const {
    json body = json::object();
    if (Generates(surface_) && !ask_.ask.is_null()) {
      const std::string model = context_.known->at("model").get<std::string>();
      body = RenderAsk(surface_, Filled(ask_.ask), model, streamed_);
    }
    body.merge_patch(context_.lane->body[context_.side]);
    body.merge_patch(Filled(ask_.body));
    const auto own = ask_.body_of.find(surface_);
    if (own != ask_.body_of.end()) body.merge_patch(Filled(own->second));
    body.update(Filled(ask_.set));
    return body;
  }

  // The exchange of the probe `named`, of this surface and way.
  std::string Named(const std::string& named) const {
    if (named.empty()) return "";
    const Way way = streamed_ ? Way::kStreamed : Way::kBuffered;
    const Probe& probe =
        named == place_.probe->name ? *place_.probe : *context_.probes->Find(named);
    return Played(ExchangeName(probe, surface_, way));
  }

  // One that did not come to be played is told by its own case.
  std::string Played(const std::string& name) const {
    return context_.so_far->Find(name) == nullptr ? "" : name;
  }

  void Link(Exchange* exchange) const {
    exchange->same_as = Named(ask_.same_as);
    exchange->same_prompt_as = Named(ask_.same_prompt_as);
    exchange->cut_of = Named(ask_.cut_of);
    exchange->warm_of = Named(ask_.warm_of);
    if (ask_.follows) exchange->after = Played(place_.Name());
    const bool plain = ask_.name.empty() && ask_.same_as.empty() && copy_.empty() &&
                       ask_.then.empty() && Generates(surface_);
    if (!plain) return;
    const Probe& probe = *place_.probe;
    if (streamed_) {
      exchange->same_as = Played(ExchangeName(probe, surface_, Way::kBuffered));
    } else if (std::find(probe.alike.begin(), probe.alike.end(), surface_) != probe.alike.end() &&
               surface_ != probe.alike[0]) {
      exchange->same_as = Played(ExchangeName(probe, probe.alike[0], Way::kBuffered));
    }
  }

  Step Send(const std::string& bytes) const {
    return {Step::Kind::kSend, bytes, ask_.split, ask_.every_ms};
  }

  void AddSend(const std::string& bytes, Script* script) const {
    if (!ask_.form.expect_continue) {
      script->steps.push_back(Send(bytes));
      return;
    }
    const std::string end = ask_.form.bare_line_feeds ? "\n\n" : "\r\n\r\n";
    const std::size_t head = bytes.find(end) + end.size();
    script->steps.push_back(Send(bytes.substr(0, head)));
    script->steps.push_back({Step::Kind::kAwaitBytes, "", 1, kContinueMilliseconds});
    script->steps.push_back(Send(bytes.substr(head)));
  }

  void AddSteps(const std::string& bytes, Script* script) const {
    script->steps = ask_.first;
    if (ask_.pipelined) {
      std::string all;
      for (std::uint64_t i = 0; i < ask_.times; ++i) all += bytes;
      script->steps.push_back(Send(all));
    } else {
      for (std::uint64_t i = 0; i < ask_.times; ++i) {
        if (i != 0) script->steps.push_back({Step::Kind::kAwaitAnswers, "", i});
        AddSend(bytes, script);
      }
    }
    script->steps.insert(script->steps.end(), ask_.then.begin(), ask_.then.end());
    if (ask_.then.empty()) script->steps.push_back({Step::Kind::kAwaitEnd});
  }

  const Place& place_;
  const Ask& ask_;
  const AskContext& context_;
  Surface surface_;
  bool streamed_;
  std::string copy_;
};

}  // namespace

std::string ServedBy(const Place& place, const WireLane& lane) {
  const auto own = place.probe->served_by.find({lane.name, place.way});
  if (own != place.probe->served_by.end()) return own->second;
  const auto way = lane.served_by.find(place.way);
  return way == lane.served_by.end() ? lane.name : way->second;
}

std::vector<PlannedAsk> PlanAsks(const Place& place, const AskContext& context) {
  std::vector<PlannedAsk> asks;
  const auto plan = [&](const Ask& ask) {
    const std::string name = place.Name() + (ask.name.empty() ? "" : "." + ask.name);
    Planner planner(place, ask, context);
    for (std::uint64_t i = 0; i < ask.copies; ++i) {
      const std::string copy = ask.copies == 1 ? "" : std::to_string(i);
      asks.push_back(planner.Plan(name + (copy.empty() ? "" : "." + copy), copy));
    }
  };
  plan(place.probe->own);
  for (const Ask& ask : place.probe->beside) plan(ask);
  return asks;
}

PlannedAsk PlanAfter(const Place& place, const Ask& ask, const AskContext& context) {
  return Planner(place, ask, context).Plan(place.Name() + "." + ask.name, "");
}

PlannedAsk PlanScrape(const std::string& name, const std::string& path, const std::string& lane) {
  PlannedAsk planned;
  planned.exchange.name = name;
  planned.exchange.lane = lane;
  planned.exchange.requests.push_back({SurfaceOf(path), "GET", path, false, nullptr});
  planned.script.methods = {"GET"};
  planned.script.steps = {{Step::Kind::kSend, BytesOf({"GET", path, "", {}, {}})},
                          {Step::Kind::kAwaitEnd}};
  return planned;
}

}  // namespace parity::wire
