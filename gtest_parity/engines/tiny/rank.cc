#include "gtest_parity/engines/tiny/rank.h"

#include <utility>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/stage.h"
#include "gtest_parity/engines/tiny/weights.h"

namespace parity::tiny {
namespace {

// Stores which op is about to start, and 0 once the call is over, however it ends.
class Progress {
 public:
  explicit Progress(volatile std::uint64_t* word) : word_(word) {}
  ~Progress() { Store(0); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Start(std::uint32_t op) { Store(std::uint64_t{op} + 1); }

 private:
  void Store(std::uint64_t value) {
    if (word_ != nullptr) *word_ = value;
  }
  volatile std::uint64_t* word_;
};

}  // namespace

Rank::Rank(const parity_create_args& args, const EngineConfig& config, EngineSpec spec,
           std::unique_ptr<Backend> backend)
    : spec_(std::move(spec)),
      backend_(std::move(backend)),
      memory_(spec_, args.rank_count, *backend_),
      rank_(args.rank),
      collective_(args.rank_count > 1 ? args.collective : nullptr),
      progress_(args.progress),
      graph_(config.graph),
      fault_(config.fault) {
  if ((spec_.traits & PARITY_SEQUENTIAL) != 0) order_.emplace();
  if (config.mutant) {
    mutant_.emplace(*config.mutant, spec_, rank_);
    view_lie_ = config.mutant->mutant->view_lie;
  }
  args_.model = &spec_.model;
  args_.collective = collective_;
  args_.backend = backend_.get();
  LoadWeights(config.model, spec_, rank_, memory_);
  RunOnce();
  backend_->Synchronize();
}

void Rank::RunOnce() {
  for (const ProgramSpec& program : spec_.programs) {
    if (!program.once) continue;
    for (std::uint32_t i = 0; i < program.ops.size(); ++i) RunOp(program, i, nullptr);
  }
}

void Rank::Stage(const parity_step& step) {
  CheckStep(step, spec_);
  if (order_) order_->Stage(step);
  WriteStep(step, memory_);
  staged_ = SequencesOf(step);
  slots_.Stage(step);
  staged_program_ = step.program;
  staged_run_ = step.run == nullptr ? "" : step.run;
  cancelled_ = false;
}

void Rank::Run(const std::string& name, std::uint32_t lo, std::uint32_t hi) {
  const ProgramSpec* program = spec_.FindProgram(name);
  const bool whole = program != nullptr && lo == 0 && hi == program->ops.size();
  if ((spec_.traits & PARITY_TAP_ONLY) != 0 && !whole) {
    throw EngineError(PARITY_UNSUPPORTED, "ops [" + std::to_string(lo) + ", " + std::to_string(hi) +
                                              ") of " + name + ": only whole programs can be run");
  }
  RunOps(name, lo, hi, nullptr);
}

void Rank::RunTapped(const std::string& name, const Taps& taps) {
  const ProgramSpec* program = spec_.FindProgram(name);
  if (program == nullptr) throw Invalid("no program \"" + name + "\"");
  CheckTaps(taps, *program);
  RunOps(name, 0, static_cast<std::uint32_t>(program->ops.size()), &taps);
}

Operand Rank::Reach(parity_kind kind, const std::string& name) const {
  const Operand tensor = memory_.Get(kind, name);
  if ((spec_.traits & PARITY_TAP_ONLY) == 0 || spec_.IsResult(name)) return tensor;
  throw EngineError(PARITY_UNSUPPORTED, "\"" + name + "\" can only be reached by a tap");
}

void Rank::RunOps(const std::string& name, std::uint32_t lo, std::uint32_t hi, const Taps* taps) {
  const ProgramSpec* program = spec_.FindProgram(name);
  if (program == nullptr) throw Invalid("no program \"" + name + "\"");
  if (lo > hi || hi > program->ops.size()) {
    throw Invalid("ops [" + std::to_string(lo) + ", " + std::to_string(hi) + ") of " + name +
                  ", which has " + std::to_string(program->ops.size()));
  }
  if (!program->once && staged_program_ != name) {
    throw Invalid("run of \"" + name + "\", but the staged step is for \"" + staged_program_ +
                  "\"");
  }
  if (mutant_) mutant_->BeginRun(lo == 0 && hi == program->ops.size());
  Progress progress(progress_);
  for (std::uint32_t i = lo; i < hi; ++i) {
    if (cancelled_.exchange(false)) {
      throw EngineError(PARITY_CANCELLED, "cancelled before op " + program->ops[i].label);
    }
    progress.Start(i);
    RunOp(*program, i, taps);
  }
  Finish(*program, lo, hi);
}

void Rank::Finish(const ProgramSpec& program, std::uint32_t lo, std::uint32_t hi) {
  ++runs_;
  if (order_ && !program.once && hi == program.ops.size()) order_->Finish();
  if (program.once || hi != program.ops.size() || lo >= hi) return;
  tokens_ += memory_.extents().rows;
  slots_.Finish();
}

// Kernels take their shapes from the step when they are captured, all else from memory when they
// run.
void Rank::RunGraph(const std::string& name) {
  const ProgramSpec* program = spec_.FindProgram(name);
  if (program == nullptr) throw Invalid("no program \"" + name + "\"");
  const auto end = static_cast<std::uint32_t>(program->ops.size());
  if (!graph_ || staged_program_ != name) return RunOps(name, 0, end, nullptr);
  const std::string key = name + "/" + std::to_string(memory_.extents().rows) + "/" +
                          std::to_string(memory_.extents().sequences);
  bool captured = false;
  backend_->RunCaptured(key, [&] {
    RunOps(name, 0, end, nullptr);
    captured = true;
  });
  if (!captured) Finish(*program, 0, end);
}

void Rank::Bind(const OpSpec& op) {
  const auto bind = [this](const std::vector<std::string>& names, std::vector<Operand>& operands) {
    operands.clear();
    for (const std::string& name : names) operands.push_back(memory_.Get(name));
  };
  bind(op.reads, args_.reads);
  bind(op.writes, args_.writes);
  bind(op.updates, args_.updates);
  args_.lane_order = nullptr;
  args_.layer = op.layer;
}

void Rank::RunOp(const ProgramSpec& program, std::uint32_t index, const Taps* taps) {
  const OpSpec& op = program.ops[index];
  Bind(op);
  args_.tapped = taps != nullptr && taps->Look(index);
  if (mutant_) mutant_->Before(op, program.name, staged_run_, memory_, args_);
  if (!fault_.empty() && op.label == fault_) backend_->StoreNowhere();
  const parity_status status = op.function(args_);
  if (status != PARITY_OK) throw EngineError(status, "op " + op.label + ": collective failed");
  if (mutant_) mutant_->After(op, program.name, staged_run_, memory_, args_);
  if (taps != nullptr && args_.tapped)
    taps->Show(index, memory_, mutant_ && mutant_->HidesTaps(op, program.name, staged_run_));
}

KvView Rank::FindView(parity_kind kind, const std::string& name, std::uint64_t bytes) const {
  for (const TensorSpec& tensor : kind == PARITY_STATE ? spec_.states : spec_.buffers) {
    for (const ViewSpec& view : tensor.views) {
      if (view.name != name || view.row == nullptr) continue;
      const std::uint64_t heads = spec_.model.kv_heads / memory_.extents().ranks;
      KvView found(memory_.Get(kind, tensor.name), heads, view.row, staged_, view_lie_, *backend_);
      if (found.Bytes() == bytes) return found;
      throw Invalid("view \"" + name + "\" of " + std::to_string(bytes) + " bytes, expected " +
                    std::to_string(found.Bytes()));
    }
  }
  throw Invalid("no view \"" + name + "\" that the engine carries out");
}

void Rank::ExportView(parity_kind kind, const std::string& view, void* canonical,
                      std::uint64_t bytes) {
  FindView(kind, view, bytes).Export(canonical);
}

void Rank::ImportView(parity_kind kind, const std::string& view, const void* canonical,
                      std::uint64_t bytes) {
  FindView(kind, view, bytes).Import(canonical);
}

void Rank::Reset() {
  memory_.Clear();
  memory_.SetStep(0, 0);
  staged_.clear();
  slots_.Clear();
  staged_program_.clear();
  staged_run_.clear();
  if (order_) order_.emplace();
  cancelled_ = false;
  RunOnce();
  backend_->Synchronize();
}

}  // namespace parity::tiny
