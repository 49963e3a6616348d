// One request and its answer, in the thread of its client.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_EXCHANGE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_EXCHANGE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gtest_parity/engines/tiny/server/job.h"
#include "gtest_parity/engines/tiny/server/mutants.h"
#include "gtest_parity/engines/tiny/server/options.h"
#include "gtest_parity/engines/tiny/server/projector.h"
#include "gtest_parity/engines/tiny/server/scheduler.h"

namespace parity::tiny_server {

// A client that is connected, and what its request weighs, as long as it is served.
class Ticket {
 public:
  // Throws WireError where there are too many.
  Ticket(Ledger& ledger, const ServerOptions& options, std::uint64_t body_bytes);
  ~Ticket();
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

 private:
  Ledger& ledger_;
  std::uint64_t body_bytes_;
};

class Exchange {
 public:
  struct Parts {
    Scheduler& scheduler;
    const ServerOptions& options;
    std::unique_ptr<Ticket> ticket;
    std::function<bool()> client_is_gone;
  };
  // `head` lacks what the engine says. The job has been submitted.
  Exchange(Parts parts, JobPtr job, AnswerHead head);
  ~Exchange();  // cancels what is not over
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  bool streams() const { return job_->intent.stream; }
  // Both throw WireError where there is no answer.
  void AwaitOpening();
  Json Whole();  // the body

  enum class More { kYes, kEnd, kCut };
  // What there is to send of the stream, after a short wait.
  More Next(std::string& text);

 private:
  std::optional<Parcel> Take();
  std::string Sent(std::vector<Frame> frames);

  Parts parts_;
  JobPtr job_;
  AnswerHead head_;
  std::unique_ptr<Projector> projector_;
  StreamState state_;
  bool begun_ = false, over_ = false;
  Job::Clock::time_point next_look_{};  // whether the client is there
  std::string burst_;                   // of a mutant
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_EXCHANGE_H_
