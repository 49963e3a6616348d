#include "gtest_parity/engines/tiny/mutant.h"

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

bool HasLabel(const EngineSpec& spec, const std::string& label) {
  for (const ProgramSpec& program : spec.programs) {
    for (const OpSpec& op : program.ops) {
      if (!program.once && op.label == label) return true;
    }
  }
  return false;
}

std::string Substitute(std::string label, std::uint64_t layer) {
  const std::size_t hole = label.find("{}");
  if (hole != std::string::npos) label.replace(hole, 2, std::to_string(layer));
  return label;
}

std::string FindLabel(const MutantOptions& options, const EngineSpec& spec) {
  const std::string name = options.mutant->name;
  if (options.label) {
    if (HasLabel(spec, *options.label)) return *options.label;
    throw Invalid("config.mutant.label: engine \"" + spec.engine + "\" has no op \"" +
                  *options.label + "\"");
  }
  if (options.mutant->labels.empty()) return "";
  for (const char* pattern : options.mutant->labels) {
    const std::string label = Substitute(pattern, options.layer.value_or(options.mutant->layer));
    if (HasLabel(spec, label)) return label;
  }
  throw Invalid("config.mutant: engine \"" + spec.engine + "\" has no place for \"" + name + "\"");
}

}  // namespace

MutantRunner::MutantRunner(const MutantOptions& options, const EngineSpec& spec, std::uint32_t rank)
    : options_(options), rank_(rank), random_(options.seed * 1000003 + rank) {
  if (options.layer.value_or(0) >= spec.model.layers) {
    throw Invalid("config.mutant.layer is " + std::to_string(*options.layer) + ", expected 0 to " +
                  std::to_string(spec.model.layers - 1));
  }
  if (options.program && spec.FindProgram(*options.program) == nullptr) {
    throw Invalid("config.mutant.program: no program \"" + *options.program + "\"");
  }
  label_ = FindLabel(options, spec);
}

bool MutantRunner::Applies(const OpSpec& op, const std::string& program,
                           const std::string& run) const {
  return (whole_ || !options_.served) && (label_.empty() || label_ == op.label) &&
         (!options_.rank || *options_.rank == rank_) &&
         (!options_.program || *options_.program == program) &&
         (!options_.run || *options_.run == run);
}

MutantCall MutantRunner::Call(const OpSpec& op, const std::string& program, const Memory& memory,
                              OpArgs& args) {
  return {op, options_, program, rank_, memory, args, saved_, order_, random_};
}

void MutantRunner::Before(const OpSpec& op, const std::string& program, const std::string& run,
                          const Memory& memory, OpArgs& args) {
  if (options_.mutant->before == nullptr || !Applies(op, program, run)) return;
  MutantCall call = Call(op, program, memory, args);
  options_.mutant->before(call);
}

void MutantRunner::After(const OpSpec& op, const std::string& program, const std::string& run,
                         const Memory& memory, OpArgs& args) {
  if (options_.mutant->after == nullptr || !Applies(op, program, run)) return;
  MutantCall call = Call(op, program, memory, args);
  options_.mutant->after(call);
}

}  // namespace parity::tiny
