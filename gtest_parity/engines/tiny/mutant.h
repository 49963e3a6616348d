// Deliberate faults, off by default: what a harness must be able to find.
#ifndef GTEST_PARITY_ENGINES_TINY_MUTANT_H_
#define GTEST_PARITY_ENGINES_TINY_MUTANT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/kv_view.h"
#include "gtest_parity/engines/tiny/memory.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

struct Mutant;

// The `mutant` object of a configuration.
struct MutantOptions {
  const Mutant* mutant = nullptr;
  std::optional<std::string> label;    // of the op that is wrong; default: the mutant's own
  std::optional<std::uint64_t> layer;  // of the default label; default: the mutant's own
  std::optional<std::uint32_t> rank;   // default: every rank
  std::optional<std::string> program;  // default: every program
  std::optional<std::string> run;      // only in the harness's run of that name
  bool served = false;                 // only where the whole program runs in one call
  double factor = 1.02;                // drift
  // round: bits of the mantissa that it keeps; default: what is one format narrower
  std::optional<std::uint32_t> mantissa_bits;
  double at_least = 0.05;  // flip_argmax: KL in nats that the exchange costs,
  double at_most = std::numeric_limits<double>::infinity();  // a row without such a pair is kept
  std::uint64_t seed = 0;                                    // noisy ones
  std::int32_t token = 1;                                    // eos_ignored
};

// One execution of an op that a mutant applies to.
struct MutantCall {
  const OpSpec& op;
  const MutantOptions& options;
  const std::string& program;
  std::uint32_t rank;
  const Memory& memory;
  OpArgs& args;
  std::vector<std::byte>& saved;        // from `before` to `after`
  std::array<std::uint8_t, 16>& order;  // of partial sums, for noise
  std::mt19937_64& random;              // of this rank, advances with every call

  // What the op produces first: the operand that mutants spoil.
  const Operand& Output() const { return args.writes.empty() ? args.updates[0] : args.writes[0]; }
};

using MutantHook = void (*)(MutantCall& call);

// Which engines offer a mutant: references are noisy, candidates are wrong.
enum class MutantHost { kReference, kCandidate };

struct Mutant {
  const char* name;
  const char* what;
  MutantHost host;
  // Labels with "{}" for the layer: the first that the engine has. Empty: every op.
  std::vector<const char*> labels;
  std::uint64_t layer;  // what "{}" is by default
  MutantHook before;    // NULL: nothing
  MutantHook after;
  bool hides_taps = false;  // what a tap makes of the op's output is dropped
  ViewLie view_lie = ViewLie::kNone;
  bool touches_memory = true;  // host memory alone: an engine on a GPU has none of those
};

// The table of all mutants.
std::span<const Mutant> AllMutants();

// Runs a configured mutant around the ops of one rank.
class MutantRunner {
 public:
  // Throws EngineError (PARITY_INVALID) if `spec` has no op, program or layer as the options name.
  MutantRunner(const MutantOptions& options, const EngineSpec& spec, std::uint32_t rank);

  // The next ops run in one call, which is for the whole program or a part of it.
  void BeginRun(bool whole) { whole_ = whole; }
  void Before(const OpSpec& op, const std::string& program, const std::string& run,
              const Memory& memory, OpArgs& args);
  void After(const OpSpec& op, const std::string& program, const std::string& run,
             const Memory& memory, OpArgs& args);
  // Whether what a tap makes of the op's output is dropped.
  bool HidesTaps(const OpSpec& op, const std::string& program, const std::string& run) const {
    return options_.mutant->hides_taps && Applies(op, program, run);
  }

 private:
  bool Applies(const OpSpec& op, const std::string& program, const std::string& run) const;
  MutantCall Call(const OpSpec& op, const std::string& program, const Memory& memory, OpArgs& args);

  MutantOptions options_;
  std::uint32_t rank_;
  std::string label_;  // empty: every op
  bool whole_ = false;
  std::vector<std::byte> saved_;
  std::array<std::uint8_t, 16> order_{};
  std::mt19937_64 random_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_MUTANT_H_
