// The scheduler's lanes: admission, rounds of tokens, and how answers end.
#include <algorithm>
#include <utility>

#include "gtest_parity/engines/tiny/server/mutants.h"
#include "gtest_parity/engines/tiny/server/scheduler.h"

namespace parity::tiny_server {
namespace {

const char* PromptFieldOf(Surface surface) {
  if (surface == Surface::kCompletions) return "prompt";
  return surface == Surface::kResponses ? "input" : "messages";
}

void Append(Json& list, const Json& more) {
  for (const Json& one : more) list.push_back(one);
}

// What the engine tells of a call to it. Of a batch's round it is the batch's, told of one of them.
void AddTold(Json& told, const Json& answer) {
  for (const char* key : {"ops", "rows"}) {
    Json& sum = told["ran"][key];
    sum = (sum.is_null() ? 0 : sum.get<std::uint64_t>()) + answer["ran"][key].get<std::uint64_t>();
  }
  Append(told["events"], answer["events"]);
}

bool IsRefusal(const EngineError& error, const char* guard) {
  return error.status() == PARITY_REFUSED &&
         std::string(error.what()).find(guard) != std::string::npos;
}

}  // namespace

void Scheduler::Admit() {
  AdmitGathered();
  for (const ServedLane lane : {ServedLane::kSerial, ServedLane::kContinuous}) {
    LaneState& state = lanes_[static_cast<int>(lane)];
    const std::size_t width = lane == ServedLane::kSerial ? 1 : options_.width;
    while (state.running.size() < width && !state.waiting.empty()) {
      if (!Open(state.waiting.front())) break;
    }
  }
}

// A batch begins when it is full, and nobody joins it; a request that stays alone is served by the
// serial lane.
void Scheduler::AdmitGathered() {
  LaneState& state = lanes_[static_cast<int>(ServedLane::kStatic)];
  if (!state.running.empty() || state.waiting.empty()) return;
  if (state.waiting.size() >= options_.width) {
    for (std::uint64_t i = 0; i < options_.width && !state.waiting.empty(); ++i) {
      if (!Open(state.waiting.front())) return;
    }
    if (state.running.size() > 1) ledger_.Add([](Figures& figures) { ++figures.batches; });
    return;
  }
  const JobPtr job = state.waiting.front();
  if (Clock::now() < job->arrived + std::chrono::milliseconds(options_.gather_ms)) return;
  state.waiting.pop_front();
  job->route = {ServedLane::kSerial, Reason::kGatheredAlone};
  ledger_.Add(
      [](Figures& figures) { ++figures.reasons[static_cast<int>(Reason::kGatheredAlone)]; });
  LaneOf(job).waiting.push_back(job);
}

// False: there is no session for it now. Otherwise it waits no longer.
bool Scheduler::Open(JobPtr job) {  // its lane lets go of it
  if (!Claim(job)) {
    Fail(job,
         WireError(409, "the state of these tool calls is gone: replay the full history",
                   PromptFieldOf(job->intent.surface), "continuation_gone"),
         Outcome::kRefused);
    return true;
  }
  Json answer;
  try {
    if (!OpenInEngine(job, answer)) return false;
  } catch (const EngineError& error) {
    const WireError told = WireErrorOf(error, PromptFieldOf(job->intent.surface));
    Fail(job, told, told.status == 500 ? Outcome::kFailed : Outcome::kRefused);
    return true;
  }
  LaneState& lane = LaneOf(job);
  std::erase(lane.waiting, job);
  lane.running.push_back(job);
  --queued_;
  job->generation = answer["generation"];
  job->usage.prompt = answer["usage"]["prompt"];
  job->usage.cached = answer["usage"]["cached"];
  AddTold(job->told, answer);
  job->told["route"] = answer["route"];
  job->told["restored"] = answer["restored"];
  ledger_.Add([&](Figures& figures) {
    --figures.queued;
    ++figures.running;
    ++figures.routes[static_cast<int>(job->intent.surface)][static_cast<int>(job->route.lane)];
    figures.prompt_cached += job->usage.cached;
    figures.prompt_computed += job->usage.prompt - job->usage.cached;
  });
  job->mailbox.Put({.kind = Parcel::Kind::kOpened, .usage = job->usage});
  if (answer.contains("finish")) Finish(job, answer);
  return true;
}

// What the request goes on with, so that nobody else does; its bank is free for it.
bool Scheduler::Claim(const JobPtr& job) {
  if (job->record == 0) return true;
  if (Mutated(options_, Quirk::kContinuationStays)) {
    registry_.LetGo(job->record);
    return true;
  }
  const Registry::Claim claim = registry_.Take(std::exchange(job->record, 0));
  if (claim.generation != 0) CloseGeneration(claim.generation);
  return claim.found || job->has_history;
}

// Banks that are kept for calls are given up where there is no other.
bool Scheduler::OpenInEngine(const JobPtr& job, Json& answer) {
  const bool bank = job->route.lane != ServedLane::kSerial;
  const Json request = ServeRequestOf(job->intent, bank, options_.serve);
  for (;;) {
    try {
      answer = Ask(request);
      return true;
    } catch (const EngineError& error) {
      if (!IsRefusal(error, "bank_available")) throw;
      const std::uint64_t kept = registry_.Unpin();
      if (kept != 0) {
        CloseGeneration(kept);
      } else if (IsRunning()) {
        return false;
      } else {
        throw;
      }
    }
  }
}

void Scheduler::Round(LaneState& lane) {
  if (lane.running.empty()) return;
  const std::vector<JobPtr> jobs = lane.running;
  Json generations = Json::array(), answer;
  for (const JobPtr& job : jobs) generations.push_back(job->generation);
  try {
    answer = Ask({{"do", "step"}, {"generations", generations}});
  } catch (const EngineError& error) {
    for (const JobPtr& job : jobs) Fail(job, WireErrorOf(error, ""), Outcome::kFailed);
    return;
  }
  AddTold(jobs.front()->told, answer);
  for (std::size_t i = 0; i < jobs.size(); ++i) OnStep(jobs[i], answer["steps"][i]);
}

void Scheduler::OnStep(const JobPtr& job, const Json& step) {
  const std::uint64_t tokens = step["ids"].size();
  job->usage.output += tokens;
  if (job->filter.thinks()) job->usage.reasoning += tokens;
  Append(job->told["ids"], step["ids"]);
  const std::uint64_t counted = Mutated(options_, Quirk::kCountsTwice) ? 2 * tokens : tokens;
  ledger_.Add([&](Figures& figures) { figures.generated += counted; });
  Tell(job, job->filter.On(step["text"].get<std::string>()));
  const bool faulty =
      options_.fail_after_tokens != 0 && job->usage.output >= options_.fail_after_tokens;
  if (faulty) {
    Fail(job, WireError(500, "the engine has failed, as it was configured to"), Outcome::kFailed);
  } else if (job->filter.stopped() || step.contains("finish")) {
    Finish(job, step);
  }
}

void Scheduler::Tell(const JobPtr& job, std::vector<TapeEvent> events) {
  for (TapeEvent& event : events) {
    (event.kind == TapeEvent::Kind::kText ? job->text : job->reasoning) += event.text;
    job->mailbox.Put({.event = std::move(event)});
  }
}

// The figures are settled before the client knows that it is over, so that it finds them so.
void Scheduler::Finish(const JobPtr& job, const Json& step) {
  Ending ending;
  if (!job->filter.stopped() && !Mutated(options_, Quirk::kHoldBackLost)) {
    Tell(job, job->filter.Finish());
  }
  std::vector<Call> calls;
  const std::string finish = step.value("finish", "stop");
  if (job->filter.stopped()) {
    if (Mutated(options_, Quirk::kStopLeaked)) {
      Tell(job, {{TapeEvent::Kind::kText, job->filter.stop()}});
    }
    ending.finish = Finish::kStopSequence;
    ending.stop_sequence = job->filter.stop();
  } else if (finish == "tool_calls") {
    ending.finish = Finish::kToolCalls;
    for (const Json& call : step["tool_calls"]) {
      const std::string name = job->intent.tool.empty() ? call["name"] : Json(job->intent.tool);
      calls.push_back({call["id"], name, call["arguments"].dump()});
    }
  } else if (finish == "length") {
    ending.finish = Finish::kLength;
  }
  ending.reasoning_closed = !job->filter.thinks();
  ending.usage = job->usage;
  job->told["usage"] = {{"prompt", job->usage.prompt},
                        {"cached", job->usage.cached},
                        {"computed", job->usage.prompt - job->usage.cached},
                        {"output", job->usage.output}};
  Publish(job, calls);
  Settle(job, Outcome::kCompleted);
  for (const Call& call : calls) {
    job->mailbox.Put({.event = {.kind = TapeEvent::Kind::kCall, .call = call}});
  }
  job->mailbox.Put({.event = {.kind = TapeEvent::Kind::kEnd, .ending = ending}, .told = job->told});
}

// A streamed call's bank is kept for what comes next. A client that knows this server pins itself.
void Scheduler::Publish(const JobPtr& job, const std::vector<Call>& calls) {
  if (calls.empty() || Mutated(options_, Quirk::kContinuationLost)) return;
  std::set<std::string> ids;
  Turn turn{"assistant", job->text, job->reasoning, {}, ""};
  for (const Call& call : calls) {
    ids.insert(call.id);
    turn.calls.push_back({call.id, Json::parse(call.arguments)});
  }
  std::vector<Turn> turns = job->intent.turns;
  turns.push_back(std::move(turn));
  const bool bank = job->route.lane == ServedLane::kContinuous;
  const bool keeps = bank && job->intent.stream && !job->intent.parity;
  registry_.Publish(job->intent.surface, ids, std::move(turns),
                    bank ? Registry::Owner::kBank : Registry::Owner::kSerial,
                    keeps ? std::exchange(job->generation, 0) : 0);
}

void Scheduler::Fail(const JobPtr& job, const WireError& error, Outcome outcome) {
  const JobPtr kept = job;  // the lane's own may be all there is
  Settle(kept, outcome);
  Parcel parcel;
  parcel.event.kind = TapeEvent::Kind::kFailure;
  parcel.event.error = error;
  kept->mailbox.Put(std::move(parcel));
}

// Its client is gone, or is to go.
void Scheduler::Drop(const JobPtr& job) {
  const JobPtr kept = job;
  Settle(kept, Outcome::kCanceled);
  kept->mailbox.Put({.kind = Parcel::Kind::kDropped});
}

void Scheduler::Settle(const JobPtr& job, Outcome outcome) {
  LaneState& lane = LaneOf(job);
  const bool waited =
      std::find(lane.waiting.begin(), lane.waiting.end(), job) != lane.waiting.end();
  const bool leaks = outcome == Outcome::kCanceled && Mutated(options_, Quirk::kSlotLeaks);
  std::erase(lane.waiting, job);
  std::erase(lane.running, job);
  if (job->generation != 0 && !leaks) CloseGeneration(job->generation);
  if (job->record != 0) registry_.LetGo(job->record);
  if (waited) --queued_;
  settled_ = true;
  const bool counts =
      outcome != Outcome::kCompleted || !Mutated(options_, Quirk::kCompletedNotCounted);
  ledger_.Add([&](Figures& figures) {
    if (waited) --figures.queued;
    if (!waited && !leaks) --figures.running;
    if (counts) ++figures.outcomes[static_cast<int>(outcome)];
  });
}

void Scheduler::CloseGeneration(std::uint64_t generation) {
  try {
    Ask({{"do", "close"}, {"generations", {generation}}});
  } catch (const EngineError&) {  // the engine has ended it by itself
  }
}

}  // namespace parity::tiny_server
