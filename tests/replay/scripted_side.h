// A side that carries nothing out: it writes down what it is asked, and answers as it is told to.
#ifndef GTEST_PARITY_TESTS_REPLAY_SCRIPTED_SIDE_H_
#define GTEST_PARITY_TESTS_REPLAY_SCRIPTED_SIDE_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/side/side.h"

namespace parity {

// "tap 3 restore h recorded"; empty for what tests do not look at.
inline std::string InstructionText(const Instruction& instruction) {
  const std::string tap = instruction.tap ? "tap " + std::to_string(*instruction.tap) + " " : "";
  const std::string& tensor = instruction.tensor.name;
  switch (instruction.what) {
    case Do::kReset:
      return "reset";
    case Do::kStage:
      return "stage " + instruction.step->run;
    case Do::kRun:
      if (instruction.whole) return "whole";
      return "run " + std::to_string(instruction.lo) + " " + std::to_string(instruction.hi);
    case Do::kRunTapped:
      return "tapped";
    case Do::kKeep:
      return tap + "keep " + tensor;
    case Do::kElements:
      return tap + "compare " + tensor;
    case Do::kPoison:
      return tap + "poison " + tensor;
    case Do::kRestore:
      return tap + "restore " + tensor + " " +
             (instruction.a.where == Source::Where::kHeld ? instruction.a.held : "recorded");
    case Do::kHold:
      return tap + "hold " + instruction.into;
    default:
      return "";
  }
}

class ScriptedSide : public Side {
 public:
  std::vector<Results> Run(const std::vector<Script>& scripts) override {
    std::vector<Results> results;
    messages.emplace_back();
    for (const Script& script : scripts) {
      if (on_message) on_message(script);
      results.emplace_back(script.instructions().size());
      for (std::size_t i = 0; i < script.instructions().size(); ++i) {
        const Instruction& instruction = script.instructions()[i];
        if (std::string text = InstructionText(instruction); !text.empty()) {
          messages.back().push_back(std::move(text));
        }
        if (instruction.what == Do::kElements) results.back()[i].elements.compared = 2;
        if (on_instruction) on_instruction(instruction, results.back()[i]);
      }
    }
    return results;
  }
  bool alive() const override { return true; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override { return "scripted"; }
  std::vector<std::string> MappedObjects() const override { return {}; }
  std::string OutputTail() const override { return ""; }

  std::vector<std::vector<std::string>> messages;
  std::function<void(const Script&)> on_message;  // may throw SideFailure
  std::function<void(const Instruction&, Result&)> on_instruction;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_REPLAY_SCRIPTED_SIDE_H_
