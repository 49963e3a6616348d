#include "suites/wire/machines/run_machine.h"

#include <map>

#include "suites/wire/answers/json_parts.h"
#include "suites/wire/machines/symbols.h"
#include "suites/wire/machines/tables.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// A machine for the stream and one for each of its choices.
class ChunkMachines {
 public:
  ChunkMachines(const Machine& stream, const Machine& choice, MachineRun* run)
      : choice_(choice), run_(run), stream_(stream, run) {}

  void Take(const StreamEvent& event, std::size_t index) {
    const std::string_view symbol = ChunkSymbol(event);
    if (symbol.empty() || !stream_.Take(symbol, index) || symbol != "chunk") return;
    const json& choices = PartOf(event.data, "choices");
    for (const json& choice : choices) {
      const std::int64_t number = CountIn(choice, "index").value_or(0);
      Automaton& machine = choices_.try_emplace(number, choice_, run_).first->second;
      for (const std::string_view part : ChoiceSymbols(choice)) {
        if (!machine.Take(part, index)) break;
      }
    }
  }

  void End(std::size_t index) {
    // After an error, choices end as they may.
    const bool failed = run_->states.contains("chunks.failed");
    if (!stream_.Take("end", index) || failed) return;
    for (auto& [number, machine] : choices_) machine.Take("end", index);
  }

  const Automaton& stream() const { return stream_; }

 private:
  const Machine& choice_;
  MachineRun* run_;
  Automaton stream_;
  std::map<std::int64_t, Automaton> choices_;
};

// Where nothing began, its violation is the only one.
void TellBeginning(const Automaton& stream, MachineRun* run) {
  if (stream.broken() && !stream.begun()) run->no_beginning = run->violations.at(0).rule;
}

MachineRun RunChunks(const Machine& stream, const Machine& choice,
                     const std::vector<StreamEvent>& events, bool ended) {
  MachineRun run;
  ChunkMachines machines(stream, choice, &run);
  for (std::size_t i = 0; i < events.size(); ++i) machines.Take(events[i], i);
  if (ended) machines.End(events.size());
  TellBeginning(machines.stream(), &run);
  return run;
}

MachineRun RunOne(const Machine& machine, std::string_view (*symbol_of)(const StreamEvent&),
                  const std::vector<StreamEvent>& events, bool ended) {
  MachineRun run;
  Automaton automaton(machine, &run);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string_view symbol = symbol_of(events[i]);
    if (!symbol.empty()) automaton.Take(symbol, i);
  }
  if (ended) automaton.Take("end", events.size());
  TellBeginning(automaton, &run);
  return run;
}

}  // namespace

MachineRun RunMachine(Surface surface, const std::vector<StreamEvent>& events, bool ended) {
  if (surface == Surface::kChat) return RunChunks(kChatStream, kChatChoice, events, ended);
  if (surface == Surface::kCompletions) {
    return RunChunks(kCompletionStream, kCompletionChoice, events, ended);
  }
  if (surface == Surface::kMessages) return RunOne(kMessagesStream, MessagesSymbol, events, ended);
  if (surface == Surface::kResponses) {
    return RunOne(kResponsesStream, ResponsesSymbol, events, ended);
  }
  return {};
}

std::vector<const Machine*> AllMachines() {
  return {&kChatStream,       &kChatChoice,     &kCompletionStream,
          &kCompletionChoice, &kMessagesStream, &kResponsesStream};
}

}  // namespace parity::wire
