#include "gtest_parity/engines/tiny/server/exchange.h"

#include <utility>

namespace parity::tiny_server {
namespace {

constexpr std::chrono::milliseconds kPatience{10};
// Hardly ever heard: mostly the client is gone.
constexpr char kDropped[] = "the request was dropped";

std::string TextOf(const Frame& frame) {
  const std::string data =
      frame.data.is_string()
          ? frame.data.get<std::string>()
          : frame.data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return (frame.event.empty() ? "" : "event: " + frame.event + "\n") + "data: " + data + "\n\n";
}

}  // namespace

Ticket::Ticket(Ledger& ledger, const ServerOptions& options, std::uint64_t body_bytes)
    : ledger_(ledger), body_bytes_(body_bytes) {
  std::optional<Shed> shed;
  ledger_.Add([&](Figures& figures) {
    if (figures.clients >= options.max_clients) {
      shed = Shed::kClients;
    } else if (figures.body_bytes + body_bytes > options.max_inflight_body_bytes) {
      shed = Shed::kQueueBytes;
    } else {
      ++figures.clients;
      figures.body_bytes += body_bytes;
    }
    if (shed) ++figures.sheds[static_cast<int>(*shed)];
  });
  if (shed == Shed::kClients) throw WireError(503, "too many clients", "", "", 10);
  if (shed) throw WireError(429, "the requests under way are too large", "", "", 5);
}

Ticket::~Ticket() {
  ledger_.Add([this](Figures& figures) {
    --figures.clients;
    figures.body_bytes -= body_bytes_;
  });
}

Exchange::Exchange(Parts parts, JobPtr job, AnswerHead head)
    : parts_(std::move(parts)), job_(std::move(job)), head_(std::move(head)) {
  state_.surface = head_.surface;
}

Exchange::~Exchange() {
  if (!over_) parts_.scheduler.Cancel(job_);
}

// Nothing: none came in a while, and the client is still there. kDropped where it is not.
std::optional<Parcel> Exchange::Take() {
  // However fast parcels come: a whole answer is not sent before the last one.
  if (Job::Clock::now() >= next_look_) {
    if (parts_.client_is_gone()) return Parcel{.kind = Parcel::Kind::kDropped};
    next_look_ = Job::Clock::now() + kPatience;
  }
  return job_->mailbox.Take(kPatience);
}

void Exchange::AwaitOpening() {
  for (;;) {
    const std::optional<Parcel> parcel = Take();
    if (!parcel) continue;
    if (parcel->kind == Parcel::Kind::kDropped) throw WireError(500, kDropped);
    if (parcel->kind == Parcel::Kind::kOpened) {
      head_.usage = parcel->usage;
      projector_ = parts_.options.variant->project(head_);
      return;
    }
    over_ = true;
    throw *parcel->event.error;
  }
}

Json Exchange::Whole() {
  Tape tape;
  for (;;) {
    std::optional<Parcel> parcel = Take();
    if (!parcel) continue;
    if (parcel->kind == Parcel::Kind::kDropped) throw WireError(500, kDropped);
    if (parcel->event.error) {
      over_ = true;
      throw *parcel->event.error;
    }
    tape.push_back(std::move(parcel->event));
    if (tape.back().kind != TapeEvent::Kind::kEnd) continue;
    over_ = true;
    parts_.ticket.reset();
    Json body = projector_->Whole(tape);
    body["parity"] = parcel->told;
    const WireMutant* mutant = parts_.options.mutant;
    if (mutant != nullptr && mutant->hooks.body != nullptr) mutant->hooks.body(body, head_.surface);
    return body;
  }
}

std::string Exchange::Sent(std::vector<Frame> frames) {
  const WireMutant* mutant = parts_.options.mutant;
  if (mutant != nullptr && mutant->hooks.frames != nullptr) mutant->hooks.frames(frames, state_);
  state_.frames += frames.size();
  std::string text;
  for (const Frame& frame : frames) text += TextOf(frame);
  if (mutant != nullptr && mutant->hooks.text != nullptr) mutant->hooks.text(text);
  return text;
}

Exchange::More Exchange::Next(std::string& text) {
  if (!std::exchange(begun_, true)) {
    text = Sent(projector_->Begin());
    return More::kYes;
  }
  const std::optional<Parcel> parcel = Take();
  if (!parcel) return More::kYes;
  if (parcel->kind == Parcel::Kind::kDropped) return More::kCut;
  text = Sent(projector_->On(parcel->event));
  const TapeEvent::Kind kind = parcel->event.kind;
  over_ = kind == TapeEvent::Kind::kEnd || kind == TapeEvent::Kind::kFailure;
  if (over_) parts_.ticket.reset();
  if (Mutated(parts_.options, Quirk::kBursts)) {
    burst_ += std::exchange(text, "");
    if (over_) text = burst_;
  }
  return over_ ? More::kEnd : More::kYes;
}

}  // namespace parity::tiny_server
