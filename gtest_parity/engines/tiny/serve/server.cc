#include "gtest_parity/engines/tiny/serve/server.h"

#include <algorithm>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/json_fields.h"
#include "gtest_parity/engines/tiny/serve/faulty_store.h"
#include "gtest_parity/engines/tiny/serve/kv_shape.h"
#include "gtest_parity/engines/tiny/serve/policy_questions.h"
#include "gtest_parity/engines/tiny/serve/transcript.h"

namespace parity::tiny {
namespace {

using Json = nlohmann::ordered_json;

KvKnobs KnobsOf(const EngineConfig& config) {
  KvKnobs knobs = KvKnobsOf(config);
  const std::string mutant = MutantOf(config);
  knobs.trusts_any_model = mutant == "kv_accepts_wrong_model";
  knobs.trusts_index = mutant == "kv_trusts_index";
  if (mutant == "kv_budget_grows") knobs.budget_bytes += knobs.budget_bytes / 50;
  return knobs;
}

// Only rank 0 has a folder: it alone decides what is stored and found.
KvKnobs KnobsOnRank(KvKnobs knobs, bool leads) {
  if (!leads) knobs.folder.clear();
  return knobs;
}

std::string CounterOf(const KvEvent& event) {
  static const std::map<std::string, std::string> kNames = {
      {"hit", "hits"},          {"evict", "evictions"}, {"consume", "consumed"},
      {"discard", "discarded"}, {"refuse", "refusals"}, {"refresh", "refreshed"},
      {"store", "stores_"}};
  std::string name = kNames.at(event.event) + (event.event == "store" ? event.reason : "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// However a request ends on rank 0, the others are let go.
class Release {
 public:
  explicit Release(Workers& workers) : workers_(workers) {}
  ~Release() {
    try {
      workers_.Finish();
    } catch (const EngineError&) {
      return;  // the others have ended with the same error
    }
  }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

 private:
  Workers& workers_;
};

}  // namespace

Server::Server(Rank& rank, const EngineConfig& config, const KvImplementation& kv,
               Tokenizer& tokenizer)
    : knobs_(KnobsOnRank(KnobsOf(config), rank.index() == 0)),
      workers_(rank, kv.row, static_cast<std::uint64_t>(knobs_.banks) + 1),
      policy_(kv.policy()),
      tokenizer_(tokenizer),
      pieces_(tokenizer, rank.spec().model.vocabulary),
      store_(WithKvFault(kv.store({knobs_, KvShapeOf(rank.spec(), knobs_, config.activation),
                                   config.model, events_}),
                         *policy_, MutantOf(config), knobs_.folder)),
      driver_({workers_, *store_, *policy_, knobs_, pieces_, tools_}),
      serial_(driver_),
      continuous_(driver_, MutantOf(config) == "kv_evicts_pinned") {}

Json Server::Answer(const char* request) {
  if (!workers_.leads()) {
    workers_.Follow();
    return Json::object();
  }
  const Release release(workers_);
  return AnswerAlone(request);
}

Json Server::AnswerAlone(const char* text) {
  const Json request = ParseObject(text);
  const std::string what = DoOf(request);
  if (what == "complete") return Complete(ParseServeRequest(request));
  if (what == "open") return Open(ParseServeRequest(request));
  if (what == "step") return Step(ParseGenerations(request));
  if (what == "close") return Close(ParseGenerations(request));
  if (what == "restore") return Restore(ParseServeRequest(request));
  if (what == "policy") return AnswerPolicy(request, *policy_);
  if (what == "stop") {
    CheckKeys(request, "request", {"do"});
    return Stop();
  }
  throw Invalid("request.do is \"" + what +
                "\", expected one of complete, open, step, close, restore, stop, policy");
}

Lane& Server::LaneOf(const ServeRequest& request) {
  if (!request.continuous) return serial_;
  if (knobs_.banks == 0) {
    throw Invalid("request.lane is \"continuous\", but config.kv.banks is 0");
  }
  return continuous_;
}

// Trailers of all records are read where the history has a call whose block is not known.
std::string Server::RenderWithMaps(const ServeRequest& request) {
  bool unknown = false;
  for (const ChatMessage& message : request.messages) {
    for (const ToolCall& call : message.calls) unknown |= tools_.Find(call.id) == nullptr;
  }
  if (unknown) {
    for (const ToolBlock& block : store_->ToolBlocks()) tools_.Learn(block);
  }
  return Render(request, pieces_, tools_, *policy_);
}

std::unique_ptr<Generation> Server::Begin(const ServeRequest& request) {
  Lane& lane = LaneOf(request);
  return std::make_unique<Generation>(Generation::Parts{driver_, tokenizer_, tools_, counters_},
                                      request, RenderWithMaps(request), lane);
}

Json Server::WithCosts(Json answer, Costs before) {
  answer["ran"] = {{"ops", workers_.ops() - before.ops}, {"rows", workers_.rows() - before.rows}};
  answer["events"] = TakeEvents();
  return answer;
}

Json Server::Complete(const ServeRequest& request) {
  const Costs before{workers_.ops(), workers_.rows()};
  const std::unique_ptr<Generation> generation = Begin(request);
  while (!generation->over()) generation->Step();
  return WithCosts(generation->Answer(), before);
}

Json Server::Open(const ServeRequest& request) {
  const Costs before{workers_.ops(), workers_.rows()};
  std::unique_ptr<Generation> generation = Begin(request);
  Json answer = {{"generation", ++opened_}};
  answer.update(generation->Opening());
  if (generation->over()) answer.update(generation->Ending());
  open_[opened_] = std::move(generation);
  return WithCosts(std::move(answer), before);
}

Generation& Server::OpenOne(std::uint64_t generation) {
  const auto found = open_.find(generation);
  if (found != open_.end()) return *found->second;
  throw Invalid("request.generations: " + std::to_string(generation) + " is not open");
}

// A round: none of them gets its next token before all have got this one.
Json Server::Step(const std::vector<std::uint64_t>& generations) {
  const Costs before{workers_.ops(), workers_.rows()};
  for (const std::uint64_t number : generations) {
    if (!OpenOne(number).over()) continue;
    throw Invalid("request.generations: " + std::to_string(number) + " is over");
  }
  Json steps = Json::array();
  for (const std::uint64_t number : generations) {
    Generation& generation = OpenOne(number);
    Json step = {{"generation", number}, {"text", generation.Step()}};
    step["ids"] = generation.last_ids();
    if (generation.over()) step.update(generation.Ending());
    steps.push_back(std::move(step));
  }
  return WithCosts({{"steps", std::move(steps)}}, before);
}

Json Server::Close(const std::vector<std::uint64_t>& generations) {
  for (const std::uint64_t number : generations) OpenOne(number);
  for (const std::uint64_t number : generations) open_.erase(number);
  return {{"events", TakeEvents()}};
}

Json Server::Restore(const ServeRequest& request) {
  Lane& lane = LaneOf(request);
  const Admission admission = lane.AdmitRecord(request.key, RenderWithMaps(request));
  Json answer = {{"restored", RestoredOf(admission)}};
  answer["events"] = TakeEvents();
  return answer;
}

Json Server::Stop() {
  open_.clear();
  serial_.Stop();
  continuous_.Stop();
  return {{"events", TakeEvents()}};
}

void Server::Forget() {
  open_.clear();
  serial_.Forget();
  continuous_.Forget();
}

Json Server::TakeEvents() {
  Json events = Json::array();
  for (const KvEvent& event : events_) {
    ++counters_[CounterOf(event)];
    Json told = {{"event", event.event},
                 {"reason", event.reason},
                 {"tokens", event.tokens},
                 {"key", event.key}};
    if (!event.why.empty()) told["why"] = event.why;
    events.push_back(std::move(told));
  }
  events_.clear();
  return events;
}

std::map<std::string, std::uint64_t> Server::Counters() const {
  std::map<std::string, std::uint64_t> counters = counters_;
  counters["ops"] = workers_.ops();
  counters["rows"] = workers_.rows();
  return counters;
}

}  // namespace parity::tiny
