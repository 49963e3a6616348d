// What an engine is: its tensors and its programs. One table that `describe` prints and `run`
// executes, so that what is declared and what is done cannot part.
#ifndef GTEST_PARITY_ENGINES_TINY_SPEC_H_
#define GTEST_PARITY_ENGINES_TINY_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/model_shape.h"

namespace parity::tiny {

inline constexpr std::uint64_t kMaxRows = 256;
inline constexpr std::uint64_t kMaxSequences = 8;
inline constexpr std::uint64_t kPageTokens = 16;
inline constexpr std::uint64_t kPageCount = 128;
inline constexpr std::int32_t kNoPage = -1;  // in a block table, past a sequence's pages

// What the variables of shapes stand for in the staged step.
struct Extents {
  std::uint64_t rows = 0;
  std::uint64_t sequences = 0;
  std::uint64_t ranks = 1;
  std::uint64_t kv_tokens = 0;
};

// One extent of a shape: a number, `rows`, `seqs`, `kv_tokens`, or a number divided by `ranks`.
struct Dim {
  enum class Kind { kFixed, kPerRank, kRows, kSequences, kKvTokens };
  Kind kind = Kind::kFixed;
  std::uint64_t value = 0;

  Dim(std::uint64_t fixed) : value(fixed) {}  // NOLINT: a number is an extent
  Dim(Kind kind, std::uint64_t value) : kind(kind), value(value) {}
  std::uint64_t Evaluate(const Extents& extents) const;
};

inline Dim PerRank(std::uint64_t value) { return {Dim::Kind::kPerRank, value}; }
inline Dim Rows() { return {Dim::Kind::kRows, 0}; }
inline Dim Sequences() { return {Dim::Kind::kSequences, 0}; }
inline Dim KvTokens() { return {Dim::Kind::kKvTokens, 0}; }

class Backend;

struct Domain {
  std::int64_t min = 0, max = 0;  // both included
};

// A part of a tensor along one axis.
struct SliceSpec {
  std::string name;
  std::uint32_t axis = 0;
  Dim start = 0, size = 0;
};

// One sequence of the staged step.
struct StagedSequence {
  std::uint32_t slot = 0;
  std::uint64_t length = 0;  // past tokens and present ones
  std::vector<std::int32_t> pages;
};

// Where in a cache of these extents one KV head of a token lies, counted in rows of head_dim.
using CacheRow = std::uint64_t (*)(const std::vector<std::uint64_t>& dims,
                                   const StagedSequence& sequence, std::uint64_t position,
                                   std::uint64_t head);

// What a tensor can be seen as. With `row`, by the engine: a cache as [kv_tokens, G, E], the staged
// sequences' tokens end to end.
struct ViewSpec {
  std::string name;
  parity_dtype dtype = PARITY_F32;
  std::vector<Dim> shape;
  std::optional<SliceSpec> slice = std::nullopt;
  std::vector<std::uint32_t> transpose = {};
  CacheRow row = nullptr;
};

// A tensor of the model file that makes up the next rows of a constant.
struct WeightPart {
  std::string name;
  std::uint64_t rows = 0;  // of all ranks
};

// A buffer or a state.
struct TensorSpec {
  std::string name;
  parity_dtype dtype = PARITY_F32;
  std::vector<Dim> shape;
  std::string role = "workspace";  // ignored for states
  bool replicated = false;
  std::optional<Domain> domain = std::nullopt;
  std::string weight = "";                    // constants: the tensor's name in the model file
  std::vector<WeightPart> weight_parts = {};  // instead of `weight`
  std::vector<SliceSpec> slices = {};
  std::vector<ViewSpec> views = {};
  std::string scores = "";  // decisions: the buffer that they are taken from
};

// An operand as an op sees it: memory and its shape at the staged step.
struct Operand {
  void* data = nullptr;
  parity_dtype dtype = PARITY_F32;
  std::vector<std::uint64_t> dims;

  template <typename T>
  T* As() const {
    return static_cast<T*>(data);
  }
  std::uint64_t Elements() const;
};

// All that an op gets: its operands in the order in which they are declared, and nothing else of
// the engine's memory.
struct OpArgs {
  std::vector<Operand> reads, writes, updates;
  const ModelShape* model = nullptr;
  const parity_collective* collective = nullptr;  // NULL with one rank
  int layer = -1;                                 // the op's
  // Where not NULL: [16] the order in which partial sums are added, for engines that know noise.
  const std::uint8_t* lane_order = nullptr;
  bool tapped = false;  // a tap looks at what the op writes
  Backend* backend = nullptr;
};

// Returns PARITY_OK or what a collective returned.
using OpFunction = parity_status (*)(const OpArgs& args);

struct OpSpec {
  std::string op, label;
  std::vector<std::string> reads, writes, updates;
  OpFunction function = nullptr;
  int layer = -1;  // -1: outside the layers
};

struct ProgramSpec {
  std::string name;
  bool once = false;
  std::vector<OpSpec> ops;
  std::uint64_t drafts = 0;  // rows of each sequence besides its first, whose tokens it drafts
};

struct EngineSpec {
  std::string engine;
  ModelShape model;
  std::vector<TensorSpec> buffers;
  std::vector<TensorSpec> states;
  std::vector<ProgramSpec> programs;
  std::uint32_t traits = 0;          // parity_trait bits
  bool paged = true;                 // all states are, or none
  std::uint64_t sequence_limit = 0;  // most tokens of one sequence; 0: the model's context
  std::uint64_t Context() const { return sequence_limit != 0 ? sequence_limit : model.context; }

  // Whether a program leaves it for its caller.
  bool IsResult(const std::string& name) const;
  // NULL if there is none of that name.
  const ProgramSpec* FindProgram(const std::string& name) const;
};

// "f32", "bf16", "i32": the dtypes that these engines store.
const char* NameOf(parity_dtype dtype);
std::uint64_t BytesOf(parity_dtype dtype);
std::vector<std::uint64_t> Evaluate(const std::vector<Dim>& shape, const Extents& extents);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SPEC_H_
