#include "gtest_parity/replay/greedy_driver.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw std::runtime_error(words); }

// One integer per sequence.
bool HoldsChoices(const Description& side, const std::string& name) {
  const auto found = side.tensors.find(name);
  if (found == side.tensors.end() || found->second.kind != Kind::kBuffer) return false;
  const Tensor& tensor = found->second;
  return (tensor.dtype == DType::kI32 || tensor.dtype == DType::kI64) && tensor.shape.size() == 1 &&
         tensor.shape[0].Text() == "seqs";
}

// Logits that every driven program has on both sides.
std::string CommonLogits(const Plan& plan) {
  std::vector<std::string> common;
  bool first = true;
  for (const ProgramPlan& program : plan.programs) {
    if (program.name != "prefill" && program.name != "decode") continue;
    if (first) common = program.logits;
    std::erase_if(common, [&](const std::string& name) {
      return std::find(program.logits.begin(), program.logits.end(), name) == program.logits.end();
    });
    first = false;
  }
  return common.empty() ? "" : common.front();
}

std::vector<std::int64_t> IntegersOf(DType dtype, const std::vector<std::uint8_t>& bytes) {
  std::vector<std::int64_t> values(bytes.size() / BytesOf(dtype, 1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == DType::kI64) {
      std::memcpy(&values[i], bytes.data() + i * sizeof(std::int64_t), sizeof(std::int64_t));
    } else {
      std::int32_t narrow = 0;
      std::memcpy(&narrow, bytes.data() + i * sizeof(narrow), sizeof(narrow));
      values[i] = narrow;
    }
  }
  return values;
}

}  // namespace

std::string GreedyReads::Text() const {
  return choice.empty() ? "argmax of " + logits : "buffer " + choice;
}

GreedyReads GreedyReadsOf(const Plan& plan) {
  GreedyReads reads;
  reads.logits = CommonLogits(plan);
  const std::string& named = plan.manifest.tokens.choice;
  const std::string choice = named.empty() ? "next_token" : named;
  if (HoldsChoices(plan.reference, choice) && HoldsChoices(plan.candidate, choice)) {
    reads.choice = choice;
  } else if (!named.empty()) {
    Fail(plan.manifest.path + ": tokens.choice: got \"" + named +
         "\", expected a buffer of i32 or i64 and shape [seqs] on both sides");
  }
  if (reads.choice.empty() && reads.logits.empty()) {
    Fail(plan.manifest.path +
         ": the sides have neither logits nor a buffer of chosen ids in common, so that no "
         "generation can be compared");
  }
  return reads;
}

GreedyDriver::GreedyDriver(const Plan& plan, const Workload& workload, const Description& side)
    : workload_(workload),
      side_(side),
      reads_(GreedyReadsOf(plan)),
      ranks_(plan.manifest.ranks.count) {}

GreedyDriver::Indices GreedyDriver::Add(Script& script, const WorkloadRun& run, bool chooses,
                                        const Image* against) const {
  Indices indices;
  if (run.first_of_scenario) script.Reset();
  script.Stage(StepFor(run, side_, workload_.seed));
  const auto ops = static_cast<std::uint32_t>(side_.FindProgram(run.program)->ops.size());
  script.RunWhole(run.program, ops);
  if (!chooses) return indices;
  if (!reads_.logits.empty()) {
    const TensorRef logits = Ref(reads_.logits);
    const std::uint64_t columns = side_.tensors.at(reads_.logits).Shape(VarsOf(run, ranks_)).back();
    const Source reference = against == nullptr ? Source::Live() : Source::Of(*against);
    indices.rows =
        script.Rows(logits, static_cast<std::uint32_t>(columns), reference, Source::Live());
    if (against == nullptr) indices.kept = script.Keep(logits);
  }
  if (!reads_.choice.empty()) indices.choice = script.Bytes(Ref(reads_.choice), Source::Live());
  return indices;
}

std::optional<RowStats> GreedyDriver::RowAt(const Indices& indices, const Results& results,
                                            const GreedyChoice& at) const {
  if (!indices.rows) return std::nullopt;
  return results[*indices.rows].rows.at(at.row);
}

std::int64_t GreedyDriver::ChosenAt(const Indices& indices, const Results& results,
                                    const GreedyChoice& at) const {
  if (!indices.choice) return RowAt(indices, results, at)->argmax_candidate;
  return IntegersOf(side_.tensors.at(reads_.choice).dtype, results[*indices.choice].bytes)
      .at(at.index);
}

bool GreedyDriver::RowPerToken() const {
  return !reads_.logits.empty() && side_.tensors.at(reads_.logits).shape.front().Text() != "seqs";
}

TensorRef GreedyDriver::Ref(const std::string& name) const {
  const Tensor& tensor = side_.tensors.at(name);
  return {tensor.kind, name, tensor.dtype};
}

}  // namespace parity
