// The routes that generate.
#include <ctime>
#include <random>
#include <utility>

#include "gtest_parity/engines/tiny/server/http_front.h"
#include "gtest_parity/engines/tiny/server/peer.h"
#include "gtest_parity/engines/tiny/server/read/readers.h"

namespace parity::tiny_server {
namespace {

constexpr char kJson[] = "application/json";
constexpr char kEvents[] = "text/event-stream";

std::string RandomDigits(std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::random_device random;
  std::string digits;
  while (digits.size() < count) digits += kDigits[random() % 16];
  return digits;
}

Needs NeedsOf(const Intent& intent) {
  Needs needs;
  needs.streaming = intent.stream;
  needs.thinking = intent.think == ThinkMode::kOn;
  needs.stop_scan = !intent.stops.empty();
  needs.tool_scan = !intent.tool.empty();
  needs.image = !intent.images.empty();
  needs.prefill_only = intent.max_tokens == 0;
  if (!intent.parity) return needs;
  const bool continuous = intent.parity->value("lane", Json()) == "continuous";
  needs.asked = continuous ? ServedLane::kContinuous : ServedLane::kSerial;
  return needs;
}

// As it was sent, but for faults.
std::string BodyOf(const std::string& sent, const ServerOptions& options) {
  if (options.mutant == nullptr || options.mutant->hooks.request == nullptr) return sent;
  constexpr bool kThrow = false, kPassOverComments = true;
  Json body = Json::parse(sent, nullptr, kThrow, kPassOverComments);
  if (!body.is_object()) return sent;
  options.mutant->hooks.request(body);
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::uint64_t PromptBytes(const Intent& intent) {
  std::uint64_t bytes = intent.prompt.size();
  for (const Turn& turn : intent.turns) bytes += turn.content.size() + turn.reasoning.size();
  return bytes;
}

}  // namespace

void HttpFront::Generate(Surface surface, const Request& request, Response& response) {
  try {
    std::shared_ptr<Exchange> exchange = Begin(surface, request);
    exchange->AwaitOpening();
    const bool streams = exchange->streams();
    if (streams) {
      SendStream(std::move(exchange), response);
    } else {
      SendWhole(*exchange, response);
    }
  } catch (const WireError& error) {
    SendError(surface, error, response);
    if (Mutated(parts_.options, Quirk::kLateErrors)) response.status = 200;
  }
}

// Everything before the scheduler has it. Throws WireError.
std::unique_ptr<Exchange> HttpFront::Begin(Surface surface, const Request& request) {
  if (parts_.scheduler.stopping()) throw WireError(503, "the server is shutting down");
  auto ticket = std::make_unique<Ticket>(parts_.ledger, parts_.options, request.body.size());
  Intent intent = ReadIntent(surface, BodyOf(request.body, parts_.options));
  if (!intent.model.empty() && intent.model != parts_.model) {
    throw WireError(404, "there is no model \"" + intent.model + "\"", "model", "model_not_found");
  }
  Needs needs = NeedsOf(intent);
  bool has_history = false;
  const std::uint64_t record = GoOn(intent, needs, has_history);
  AnswerHead head = HeadOf(intent);
  const Route route = RouteFor(intent, needs);
  const auto job = std::make_shared<Job>(std::move(intent), route,
                                         !Mutated(parts_.options, Quirk::kThinkTagLeaked));
  job->record = record;
  job->has_history = has_history;
  try {
    parts_.scheduler.Submit(job);
  } catch (const WireError&) {
    if (record != 0) parts_.registry.LetGo(record);
    throw;
  }
  const auto is_gone = [port = request.remote_port, own = request.local_port] {
    return PeerIsGone(port, own);
  };
  return std::make_unique<Exchange>(
      Exchange::Parts{parts_.scheduler, parts_.options, std::move(ticket), is_gone}, job,
      std::move(head));
}

// Where the request has results of calls that its history lacks, the history is put before it;
// where it has all, it still goes where they were made. Returns the continuation that it holds, 0:
// none.
std::uint64_t HttpFront::GoOn(Intent& intent, Needs& needs, bool& has_history) {
  const std::vector<std::string> awaited = AwaitedCalls(intent), answered = AnsweredCalls(intent);
  has_history = awaited.empty();
  if (answered.empty() && has_history) return 0;
  Registry::Found found =
      has_history ? parts_.registry.HoldIfFree(intent.surface, {answered.begin(), answered.end()})
                  : parts_.registry.Hold(intent.surface, {awaited.begin(), awaited.end()});
  if (found.record == 0) return 0;
  needs.serial_frontier = found.owner == Registry::Owner::kSerial;
  needs.bank_frontier = found.owner == Registry::Owner::kBank;
  if (has_history) return found.record;
  for (Turn& turn : intent.turns) {
    if (turn.role != "system") found.turns.push_back(std::move(turn));
  }
  intent.turns = std::move(found.turns);
  return found.record;
}

Route HttpFront::RouteFor(const Intent& intent, Needs needs) const {
  const ServerOptions& options = parts_.options;
  const LaneSet lanes = {.continuous = options.continuous && parts_.has_banks,
                         .gathered = options.gathered && parts_.has_banks,
                         .most_bytes = options.continuous_bytes};
  Route route = RouteOf(needs, lanes, PromptBytes(intent));
  if (Mutated(options, Quirk::kWrongLane) && route.lane == ServedLane::kContinuous) {
    route.lane = ServedLane::kSerial;
  }
  return route;
}

AnswerHead HttpFront::HeadOf(const Intent& intent) {
  return {.surface = intent.surface,
          .number = ++answers_,
          .digits = RandomDigits(24),
          .created = static_cast<std::int64_t>(std::time(nullptr)),
          .model = parts_.model,
          .include_usage = intent.include_usage,
          .tells_reasoning = intent.tells_reasoning,
          .echo = intent.echo};
}

void HttpFront::SendWhole(Exchange& exchange, Response& response) const {
  const Json body = exchange.Whole();
  const std::string text =
      body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (!Mutated(parts_.options, Quirk::kLengthTooLong)) {
    response.set_content(text, kJson);
    return;
  }
  response.set_content_provider(text.size() + 8, kJson,
                                [text](std::size_t at, std::size_t, httplib::DataSink& sink) {
                                  if (at == 0) sink.write(text.data(), text.size());
                                  return at == 0;
                                });
}

// From its first byte to its last.
class HttpFront::Presence {
 public:
  explicit Presence(HttpFront& front) : front_(front) {
    const std::lock_guard lock(front_.mutex_);
    ++front_.streams_;
  }
  ~Presence() {
    const std::lock_guard lock(front_.mutex_);
    --front_.streams_;
    front_.changed_.notify_all();
  }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

 private:
  HttpFront& front_;
};

void HttpFront::SendStream(std::shared_ptr<Exchange> exchange, Response& response) {
  response.set_header("Cache-Control", "no-cache");
  const bool ends = !Mutated(parts_.options, Quirk::kNoLastChunk);
  response.set_chunked_content_provider(
      kEvents, [exchange = std::move(exchange), ends, presence = std::make_shared<Presence>(*this)](
                   std::size_t, httplib::DataSink& sink) {
        std::string text;
        const Exchange::More more = exchange->Next(text);
        if (more == Exchange::More::kCut) return false;
        if (!text.empty() && !sink.write(text.data(), text.size())) return false;
        if (more == Exchange::More::kEnd && !ends) return false;
        if (more == Exchange::More::kEnd) sink.done();
        return true;
      });
}

}  // namespace parity::tiny_server
