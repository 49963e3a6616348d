// How the scheduler's answers end.
#include <algorithm>
#include <set>
#include <utility>

#include "gtest_parity/engines/tiny/server/mutants.h"
#include "gtest_parity/engines/tiny/server/scheduler.h"

namespace parity::tiny_server {
namespace {

// Those of an ending step, by the name of the client's tool.
std::vector<Call> CallsOf(const Json& step, const std::string& tool) {
  std::vector<Call> calls;
  for (const Json& call : step.value("tool_calls", Json::array())) {
    const std::string name = tool.empty() ? call["name"].get<std::string>() : tool;
    calls.push_back({call["id"], name, call["arguments"].dump()});
  }
  return calls;
}

Json ToldUsage(const Usage& usage) {
  return {{"prompt", usage.prompt},
          {"cached", usage.cached},
          {"computed", usage.prompt - usage.cached},
          {"output", usage.output}};
}

}  // namespace

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
    calls = CallsOf(step, job->intent.tool);
  } else if (finish == "length") {
    ending.finish = Finish::kLength;
  }
  ending.reasoning_closed = !job->filter.thinks();
  ending.usage = job->usage;
  job->told["usage"] = ToldUsage(job->usage);
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
