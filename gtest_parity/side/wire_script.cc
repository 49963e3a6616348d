#include "gtest_parity/side/wire.h"

#include <stdexcept>
#include <string>

#include "gtest_parity/side/wire_json.h"
#include "gtest_parity/side/wire_parts.h"

namespace parity {

using nlohmann::json;

namespace {

json SourceToWire(const Source& source) {
  switch (source.where) {
    case Source::Where::kLive:
      return nullptr;
    case Source::Where::kHeld:
      return source.held;
    case Source::Where::kImage:
      return ImageToWire(source.image);
  }
  return nullptr;
}

Source SourceFromWire(const json& in) {
  if (in.is_null()) return Source::Live();
  if (in.is_string()) return Source::Held(in.get<std::string>());
  return Source::Of(ImageFromWire(in));
}

json StepToWire(const Step& step) {
  json sequences = json::array();
  for (const Step::Sequence& sequence : step.sequences) {
    sequences.push_back({sequence.slot, sequence.past, sequence.rows, sequence.pages});
  }
  return {{"program", step.program},
          {"run", step.run},
          {"tokens", step.tokens},
          {"positions", step.positions},
          {"sequences", std::move(sequences)}};
}

Step StepFromWire(const json& in) {
  Step step;
  Take(in.at("program"), step.program);
  Take(in.at("run"), step.run);
  Take(in.at("tokens"), step.tokens);
  Take(in.at("positions"), step.positions);
  for (const json& sequence : in.at("sequences")) {
    step.sequences.push_back(
        {Taken<std::uint32_t>(sequence.at(0)), Taken<std::uint64_t>(sequence.at(1)),
         Taken<std::uint64_t>(sequence.at(2)), Taken<std::vector<std::int32_t>>(sequence.at(3))});
  }
  return step;
}

json InstructionToWire(const Instruction& instruction) {
  json out = {{"do", static_cast<int>(instruction.what)}};
  if (instruction.step) out["step"] = StepToWire(*instruction.step);
  Put(out, "program", instruction.program);
  Put(out, "lo", instruction.lo);
  Put(out, "hi", instruction.hi);
  Put(out, "whole", instruction.whole);
  if (instruction.tap) out["tap"] = *instruction.tap;
  if (!instruction.tensor.name.empty()) out["tensor"] = TensorToWire(instruction.tensor);
  if (!instruction.scores.name.empty()) out["scores"] = TensorToWire(instruction.scores);
  if (json a = SourceToWire(instruction.a); !a.is_null()) out["a"] = std::move(a);
  if (json b = SourceToWire(instruction.b); !b.is_null()) out["b"] = std::move(b);
  if (json c = SourceToWire(instruction.c); !c.is_null()) out["c"] = std::move(c);
  Put(out, "into", instruction.into);
  if (instruction.ranges) out["ranges"] = RangesToWire(*instruction.ranges);
  if (instruction.ranges_of) out["ranges_of"] = *instruction.ranges_of;
  Put(out, "which", instruction.which);
  if (instruction.domain) out["domain"] = {instruction.domain->min, instruction.domain->max};
  Put(out, "columns", instruction.columns);
  Put(out, "allowed", instruction.allowed);
  Put(out, "request", instruction.request);
  Put(out, "slot", instruction.slot);
  Put(out, "path", instruction.path);
  if (instruction.question) out["question"] = ToWire(*instruction.question);
  for (const auto& [name, ranges] : instruction.within) out["within"][name] = RangesToWire(ranges);
  return out;
}

// What the executor takes for granted.
void CheckComplete(const Instruction& instruction) {
  if (instruction.what == Do::kStage && instruction.step == nullptr) {
    throw std::invalid_argument("an instruction to stage without a step");
  }
  if (instruction.what == Do::kAsk && instruction.question == nullptr) {
    throw std::invalid_argument("an instruction to ask without a question");
  }
  if (instruction.what == Do::kDomain && !instruction.domain) {
    throw std::invalid_argument("an instruction to check a domain without one");
  }
}

Do DoFromWire(const json& in) {
  const int what = Taken<int>(in);
  if (what < 0 || what > static_cast<int>(Do::kLoadState)) {
    throw std::invalid_argument("no instruction " + std::to_string(what));
  }
  return static_cast<Do>(what);
}

// What an instruction is about: tensors, where their bytes come from, and which of their elements.
void OperandsFromWire(const json& in, Instruction& instruction) {
  const auto with = [&in](const char* key, const auto& take) {
    if (const auto found = in.find(key); found != in.end()) take(*found);
  };
  with("tensor", [&](const json& at) { instruction.tensor = TensorFromWire(at); });
  with("scores", [&](const json& at) { instruction.scores = TensorFromWire(at); });
  with("a", [&](const json& at) { instruction.a = SourceFromWire(at); });
  with("b", [&](const json& at) { instruction.b = SourceFromWire(at); });
  with("c", [&](const json& at) { instruction.c = SourceFromWire(at); });
  with("ranges", [&](const json& at) { instruction.ranges = RangesFromWire(at); });
  with("ranges_of", [&](const json& at) { instruction.ranges_of = Taken<std::uint32_t>(at); });
  with("within", [&](const json& at) {
    for (const auto& [name, ranges] : at.items()) instruction.within[name] = RangesFromWire(ranges);
  });
}

Instruction InstructionFromWire(const json& in) {
  Instruction instruction;
  instruction.what = DoFromWire(in.at("do"));
  if (in.contains("step")) {
    instruction.step = std::make_shared<const Step>(StepFromWire(in["step"]));
  }
  Get(in, "program", instruction.program);
  Get(in, "lo", instruction.lo);
  Get(in, "hi", instruction.hi);
  Get(in, "whole", instruction.whole);
  if (in.contains("tap")) instruction.tap = Taken<std::uint32_t>(in["tap"]);
  OperandsFromWire(in, instruction);
  Get(in, "into", instruction.into);
  Get(in, "which", instruction.which);
  if (const auto domain = in.find("domain"); domain != in.end()) {
    instruction.domain = ValueRange{domain->at(0).get<double>(), domain->at(1).get<double>()};
  }
  Get(in, "columns", instruction.columns);
  Get(in, "allowed", instruction.allowed);
  Get(in, "request", instruction.request);
  Get(in, "slot", instruction.slot);
  Get(in, "path", instruction.path);
  if (const auto question = in.find("question"); question != in.end()) {
    instruction.question = std::make_shared<const TokenQuestion>(QuestionFromWire(*question));
  }
  CheckComplete(instruction);
  return instruction;
}

}  // namespace

json ToWire(const std::vector<Instruction>& script) {
  json out = json::array();
  for (const Instruction& instruction : script) out.push_back(InstructionToWire(instruction));
  return out;
}

std::vector<Instruction> ScriptFromWire(const json& wire) {
  std::vector<Instruction> script;
  for (const json& instruction : wire) script.push_back(InstructionFromWire(instruction));
  return script;
}

}  // namespace parity
