// One side's engine description: declared memory and programs. Data; no device, no weights.
#ifndef GTEST_PARITY_MANIFEST_DESCRIPTION_H_
#define GTEST_PARITY_MANIFEST_DESCRIPTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/domain.h"
#include "kernels/dtype.h"

namespace parity {

// Values of variables: those the description declares, and `ranks`.
using Vars = std::map<std::string, std::uint64_t>;

// An extent: "rows", 256 or a quotient such as "4/ranks", which must be whole.
struct Dim {
  std::string numerator;    // a number or a variable
  std::string denominator;  // empty: 1
  // Throws std::runtime_error (what, got, expected) for an unknown variable or a quotient not
  // whole.
  std::uint64_t Evaluate(const Vars& vars) const;
  std::string Text() const;
  bool operator==(const Dim&) const = default;
};

enum class Role {
  kWorkspace,  // dead between runs
  kInput,      // written by `stage`
  kOutput,     // read by the caller after a run
  kLogits,     // an output whose rows are judged as distributions
  kDecision,   // an output that steers what is computed next (a route, a draft, a choice)
  kConstant,   // written once at load
  kCarry,      // written by one program, read by another
  kScratch,    // private to an op: poisoned, never restored or compared
  kSync,       // flags and semaphores: never touched
};

inline constexpr Role kRoles[] = {Role::kWorkspace, Role::kInput,    Role::kOutput,
                                  Role::kLogits,    Role::kDecision, Role::kConstant,
                                  Role::kCarry,     Role::kScratch,  Role::kSync};

// "workspace", "input", ... as a description spells it.
std::string NameOf(Role role);

enum class Kind { kBuffer, kState };

// A named part of a buffer along one axis.
struct Slice {
  std::uint32_t axis = 0;
  Dim start, size;
};

// How a tensor, or a slice of it, is seen by whoever compares it: under which name, in which dtype
// and shape. Row-major, as everything else.
struct View {
  std::string name;
  DType dtype = DType::kBytes;
  std::vector<Dim> shape;
  bool by_engine =
      false;  // through `export_view` and `import_view`; else the harness carries it out:
  std::optional<Slice> slice;            // what of the tensor; the whole where there is none
  std::vector<std::uint32_t> transpose;  // axis i of the view is axis transpose[i]; empty: as it is
};

struct Seen;

struct Tensor {  // a buffer or a state
  std::string name;
  Kind kind = Kind::kBuffer;
  DType dtype = DType::kBytes;
  std::vector<Dim> shape;
  Role role = Role::kWorkspace;      // buffers only
  bool replicated = false;           // the same bytes on every rank
  bool paged = false;                // states only: axis 0 is the page
  std::optional<ValueRange> domain;  // what contents are legal
  std::string scores;                // of a decision: the buffer that it was taken from
  std::map<std::string, Slice> slices;
  std::vector<View> views;  // that may be taken of it, by name
  // What this tensor is a view of; null: of nothing, the engine has it as it stands here.
  std::shared_ptr<const Seen> seen;
  std::vector<std::uint64_t> Shape(const Vars& vars) const;
};

// Why a tensor is in a description that no engine wrote: see_through_views.h.
struct Seen {
  Tensor stored;             // as the engine has it; extents hold no `ranks`
  std::optional<View> view;  // none: what is left of `stored` beside its views
};

// Operands name a buffer or state, a slice of one ("qkv/q"), or a peer.
struct Op {
  std::string op;
  std::string label;  // where in the model: "layer0.attention"; unique within its program
  std::vector<std::string> reads;
  std::vector<std::string> writes;   // the whole named range, unread
  std::vector<std::string> updates;  // in place, or in part
};

struct Program {
  std::string name;
  bool once = false;  // setup: run by `create`, never driven
  std::vector<Op> ops;
  // Rows of each sequence behind its first whose tokens the program drafts itself.
  std::uint64_t drafts = 0;
};

// How sequences are laid out in paged states; the harness hands out the pages.
struct Paging {
  std::uint64_t page_tokens = 0;
  std::uint64_t page_count = 0;
};

struct Description {
  std::string engine;
  bool sequential = false;  // PARITY_SEQUENTIAL: steps can only follow one another
  bool tap_only = false;    // PARITY_TAP_ONLY: programs run whole, states are out of reach
  // "rows" and "seqs" bound every step; "kv_tokens" are the tokens that its sequences hold in all,
  // past and present.
  std::map<std::string, std::uint64_t> var_max;
  std::optional<Paging> paging;
  std::uint64_t context = 0;                 // most tokens of one sequence
  std::map<std::string, Tensor> tensors;     // buffers and states share one name space
  std::map<std::string, std::string> peers;  // peer -> the tensor it reaches on other ranks
  std::vector<Program> programs;

  const Program* FindProgram(const std::string& name) const;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DESCRIPTION_H_
