#include "gtest_parity/manifest/check_programs.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "gtest_parity/manifest/json_object.h"
#include "gtest_parity/manifest/operand.h"

namespace parity {
namespace {

class ProgramChecker {
 public:
  ProgramChecker(const Description& description, std::uint32_t ranks, JsonSource* source)
      : description_(description), vars_(AtMost(description, ranks)), source_(source) {
    for (const auto& [name, tensor] : description.tensors) parts_[&tensor] = PartsOf(tensor);
  }

  void Check() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < description_.programs.size(); ++i) {
      const Program& program = description_.programs[i];
      const std::string pointer = Pointer("/programs", std::to_string(i));
      if (!names.insert(program.name).second) {
        source_->Add(pointer + "/name", "duplicate program", Quoted(program.name), "another name");
      }
      CheckProgram(program, pointer);
    }
    CheckUse();
  }

 private:
  using Written = std::unordered_map<const Tensor*, std::vector<bool>>;

  Parts PartsOf(const Tensor& tensor) const {
    std::vector<const Slice*> slices;
    for (const auto& [name, slice] : tensor.slices) slices.push_back(&slice);
    try {
      return CutIntoParts(tensor, slices, vars_);
    } catch (const std::runtime_error&) {
      return {};  // reported with the declaration
    }
  }

  void CheckProgram(const Program& program, const std::string& pointer) {
    std::unordered_set<std::string> labels;
    Written written;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      const Op& op = program.ops[i];
      const std::string at = Pointer(pointer + "/ops", std::to_string(i));
      if (!op.label.empty() && !labels.insert(op.label).second) {
        source_->Add(at + "/label", "duplicate label in program " + program.name, Quoted(op.label),
                     "another");
      }
      std::set<std::string> named;
      CheckOperands(op, op.reads, at + "/reads", &named,
                    [&](const Operand& operand) { CheckRead(op, operand, "reads", &written); });
      CheckOperands(op, op.updates, at + "/updates", &named, [&](const Operand& operand) {
        CheckRead(op, operand, "updates", &written);
        CheckWrite(program, op, operand, false, &written);
      });
      CheckOperands(op, op.writes, at + "/writes", &named, [&](const Operand& operand) {
        CheckWrite(program, op, operand, !operand.peer, &written);
      });
    }
  }

  template <typename Check>
  void CheckOperands(const Op& op, const std::vector<std::string>& operands,
                     const std::string& pointer, std::set<std::string>* named, const Check& check) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      pointer_ = Pointer(pointer, std::to_string(i));
      const Operand operand = Resolve(description_, operands[i]);
      if (operand.tensor == nullptr) {
        if (!operand.peer) ReportUnknown(op, operands[i]);
        continue;
      }
      used_.insert(operand.tensor);
      if (operand.peer) used_peers_.insert(operands[i]);
      if (!named->insert(operands[i]).second) {
        source_->Add(pointer_, op.label + " names an operand twice", Quoted(operands[i]),
                     "once: in `reads`, `writes` (whole, unread) or `updates` (in place, in part)");
      }
      check(operand);
    }
  }

  void ReportUnknown(const Op& op, const std::string& text) {
    std::vector<std::string> known;
    for (const auto& [name, tensor] : description_.tensors) {
      known.push_back(name);
      for (const auto& [slice, unused] : tensor.slices) known.push_back(name + "/" + slice);
    }
    for (const auto& [name, of] : description_.peers) known.push_back(name);
    source_->Add(pointer_, op.label + " names what is no buffer, state, slice or peer",
                 Quoted(text), ExpectedName(text, known));
  }

  // Calls `visit` with each part of the tensor that the operand lies in.
  template <typename Visit>
  void ForEachPart(const Operand& operand, const Visit& visit) const {
    const Parts& parts = parts_.at(operand.tensor);
    const bool sliced = operand.slice != nullptr && parts.axis >= 0;
    const std::uint64_t lo = sliced ? operand.slice->start.Evaluate(vars_) : 0;
    const std::uint64_t hi = sliced ? lo + operand.slice->size.Evaluate(vars_) : 0;
    for (std::size_t i = 0; i < parts.intervals.size(); ++i) {
      const auto& [start, end] = parts.intervals[i];
      if (!sliced || (start >= lo && end <= hi)) visit(i);
    }
  }

  void CheckRead(const Op& op, const Operand& operand, const std::string& verb, Written* written) {
    const Tensor& tensor = *operand.tensor;
    if (tensor.kind == Kind::kState || tensor.role != Role::kWorkspace || operand.peer) return;
    std::vector<bool>& parts = PartsWritten(tensor, written);
    bool missing = false;
    ForEachPart(operand, [&](std::size_t i) {
      missing = missing || !parts[i];
      parts[i] = true;  // one report is enough
    });
    if (!missing) return;
    source_->Add(pointer_, op.label + " " + verb + " a workspace that its program has not written",
                 Quoted(tensor.name), "a write of all of it before, or role \"carry\"");
  }

  void CheckWrite(const Program& program, const Op& op, const Operand& operand, bool whole,
                  Written* written) {
    const Tensor& tensor = *operand.tensor;
    written_.insert(&tensor);
    const bool buffer = tensor.kind == Kind::kBuffer;
    if (buffer && tensor.role == Role::kInput) {
      source_->Add(pointer_, op.label + " writes an input", Quoted(tensor.name),
                   "`stage` alone to write it");
    }
    if (buffer && tensor.role == Role::kConstant && !program.once) {
      source_->Add(pointer_, op.label + " writes a constant", Quoted(tensor.name),
                   "only programs that are `once` to write it");
    }
    std::vector<bool>& parts = PartsWritten(tensor, written);
    // Slices that do not fall into parts write some of the one part there is, and a description
    // cannot say that all of them together are the whole.
    if (whole || operand.peer) ForEachPart(operand, [&](std::size_t i) { parts[i] = true; });
  }

  std::vector<bool>& PartsWritten(const Tensor& tensor, Written* written) const {
    std::vector<bool>& parts = (*written)[&tensor];
    if (parts.empty()) parts.resize(parts_.at(&tensor).intervals.size());
    return parts;
  }

  void CheckUse() {
    std::set<std::string> scores;
    for (const auto& [name, tensor] : description_.tensors) scores.insert(tensor.scores);
    for (const auto& [name, tensor] : description_.tensors) {
      const std::string pointer =
          Pointer(tensor.kind == Kind::kBuffer ? "/buffers" : "/states", name);
      if (!used_.contains(&tensor) && !scores.contains(name)) {
        source_->Add(pointer, "declared and unused: " + name, "", "");
      } else if (MustBeWritten(tensor) && !written_.contains(&tensor)) {
        source_->Add(pointer, "no program writes " + NameOf(tensor.role) + " " + name, "", "");
      }
    }
    for (const auto& [peer, of] : description_.peers) {
      if (!used_peers_.contains(peer)) {
        source_->Add(Pointer("/peers", peer), "declared and unused: " + peer, "", "");
      }
    }
  }

  static bool MustBeWritten(const Tensor& tensor) {
    if (tensor.kind == Kind::kState) return false;
    return tensor.role == Role::kOutput || tensor.role == Role::kLogits ||
           tensor.role == Role::kDecision || tensor.role == Role::kCarry;
  }

  const Description& description_;
  const Vars vars_;
  JsonSource* source_;
  std::string pointer_;  // of the operand being checked
  std::unordered_map<const Tensor*, Parts> parts_;
  std::unordered_set<const Tensor*> used_, written_;
  std::set<std::string> used_peers_;
};

}  // namespace

void CheckPrograms(const Description& description, std::uint32_t ranks, JsonSource* source) {
  ProgramChecker(description, ranks, source).Check();
}

}  // namespace parity
