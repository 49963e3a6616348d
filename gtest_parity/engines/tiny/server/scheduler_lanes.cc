// The scheduler's lanes: admission, and rounds of tokens.
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
  const std::uint64_t width = options_.width + (Mutated(options_, Quirk::kGathersOneMore) ? 1 : 0);
  if (state.waiting.size() >= width) {
    for (std::uint64_t i = 0; i < width && !state.waiting.empty(); ++i) {
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
  job->told["route"]["lane"] = NameOf(job->route.lane);
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

}  // namespace parity::tiny_server
