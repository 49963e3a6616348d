#include "suites/wire/client/play.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "suites/wire/client/connection.h"
#include "suites/wire/client/signals.h"
#include "suites/wire/http/response.h"
#include "suites/wire/sse/sse_decoder.h"

namespace parity::wire {
namespace {

using Clock = Connection::Clock;
using std::chrono::milliseconds;

class Player {
 public:
  Player(int port, const Script& script, const Calls& calls, Signals& signals)
      : script_(script),
        calls_(calls),
        signals_(signals),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(script.seconds))),
        port_(port) {}

  std::vector<ConnectionEvent> Run() {
    for (const Step& step : script_.steps) Take(step);
    connection().Close();
    return connection().events();
  }

 private:
  // Made when it is first needed: who only listens as yet holds none of the server's.
  Connection& connection() {
    if (!connection_) connection_.emplace(port_, script_.receive_buffer, deadline_);
    return *connection_;
  }

  void Take(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kSend:
        return Send(step);
      case Step::Kind::kAwaitBytes:
        return AwaitBytes(step);
      case Step::Kind::kAwaitEvents:
        return Until([&] { return Events() >= step.count; });
      case Step::Kind::kAwaitAnswers:
        return Until([&] { return WholeAnswers() >= step.count; });
      case Step::Kind::kAwaitEnd:
        return Until([&] { return IsAtEnd(); });
      case Step::Kind::kReadSlowly:
        return ReadSlowly(step);
      case Step::Kind::kHalfClose:
        return connection().HalfClose();
      case Step::Kind::kClose:
        return connection().Close();
      case Step::Kind::kReset:
        return connection().Reset();
      case Step::Kind::kPause:
        return Pause(step.milliseconds);
      case Step::Kind::kTell:
        return signals_.Tell(step.text);
      case Step::Kind::kHear:
        if (!signals_.Hear(step.text, std::max<std::uint64_t>(step.count, 1), deadline_)) {
          connection().TimeOut();
        }
        return;
      case Step::Kind::kCall:
        return calls_.at(step.text)();
    }
  }

  void Pause(std::uint64_t time) const {
    std::this_thread::sleep_until(std::min(deadline_, Clock::now() + milliseconds(time)));
  }

  void Send(const Step& step) {
    const std::size_t size = step.count == 0 ? step.text.size() : step.count;
    for (std::size_t at = 0; at < step.text.size() && !connection().over(); at += size) {
      if (at != 0 && step.milliseconds != 0) Pause(step.milliseconds);
      connection().Send(std::string_view(step.text).substr(at, size));
    }
  }

  // Reads until that holds, or nothing more can come.
  template <typename Holds>
  void Until(Holds holds) {
    while (!connection().over() && !connection().peer_closed() && !holds()) {
      connection().Read(std::string::npos);
    }
  }

  void AwaitBytes(const Step& step) {
    const auto enough = [&] { return connection().received().size() >= step.count; };
    if (step.milliseconds == 0) return Until(enough);
    const Clock::time_point until = Clock::now() + milliseconds(step.milliseconds);
    while (!enough() && connection().IsReadable(until)) connection().Read(std::string::npos);
  }

  void ReadSlowly(const Step& step) {
    while (!connection().over() && !connection().peer_closed() && !IsAtEnd()) {
      connection().Read(step.count);
      Pause(step.milliseconds);
    }
  }

  ResponseStream Responses() {
    return ParseResponses(connection().received(), false, script_.methods);
  }

  std::uint64_t WholeAnswers() {
    const ResponseStream stream = Responses();
    std::uint64_t whole = 0;
    for (const Response* answer : stream.Answers()) whole += answer->complete ? 1 : 0;
    return whole;
  }

  std::uint64_t Events() {
    const ResponseStream stream = Responses();
    const std::vector<const Response*> answers = stream.Answers();
    return answers.empty() ? 0 : DecodeSse(answers.back()->body).frames.size();
  }

  // A server that says it will close is waited for, so that one which does not is seen.
  bool IsAtEnd() {
    const ResponseStream stream = Responses();
    const std::vector<const Response*> answers = stream.Answers();
    return answers.size() >= script_.methods.size() && !answers.empty() &&
           answers.back()->complete && answers.back()->keeps_alive;
  }

  const Script& script_;
  const Calls& calls_;
  Signals& signals_;
  Clock::time_point deadline_;
  int port_;
  std::optional<Connection> connection_;
};

}  // namespace

std::vector<std::vector<ConnectionEvent>> Play(int port, const std::vector<Script>& scripts,
                                               const Calls& calls) {
  Signals signals;
  std::vector<std::vector<ConnectionEvent>> events(scripts.size());
  const auto play = [&](std::size_t i) {
    events[i] = Player(port, scripts[i], calls, signals).Run();
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < scripts.size(); ++i) threads.emplace_back(play, i);
  if (!scripts.empty()) play(0);
  threads.clear();
  return events;
}

}  // namespace parity::wire
