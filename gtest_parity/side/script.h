// What a side can be asked: short scripts that every rank runs on its own memory.
#ifndef GTEST_PARITY_SIDE_SCRIPT_H_
#define GTEST_PARITY_SIDE_SCRIPT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/state_answer.h"
#include "gtest_parity/side/token_question.h"
#include "kernels/decisions.h"
#include "kernels/digest.h"
#include "kernels/domain.h"
#include "kernels/elements.h"
#include "kernels/poison.h"
#include "kernels/rows.h"

namespace parity {

// What one run of a program works on; see parity_step.
struct Step {
  struct Sequence {
    std::uint32_t slot = 0;
    std::uint64_t past = 0;
    std::uint64_t rows = 0;
    std::vector<std::int32_t> pages;
  };
  std::string program;
  std::string run;
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> positions;
  std::vector<Sequence> sequences;
};

// A tensor of the side's engine, or a view of one.
struct TensorRef {
  Kind kind = Kind::kBuffer;
  std::string name;
  DType dtype = DType::kBytes;
};

// Bytes to read: the engine's own, a copy held under a name, or an image of the recording.
struct Source {
  enum class Where { kLive, kHeld, kImage };
  Where where = Where::kLive;
  std::string held;
  Image image;

  static Source Live() { return {}; }
  static Source Held(std::string name) { return {Where::kHeld, std::move(name), {}}; }
  static Source Of(Image image) { return {Where::kImage, {}, std::move(image)}; }
};

using ElementRanges = std::vector<ElementRun>;  // ascending and disjoint

enum class Do : std::uint8_t {
  kReset,      // the engine as just after `create`
  kStage,      // step
  kRun,        // program, lo, hi; `whole`: as served
  kRunTapped,  // program, hi: whole; carries out those that follow and have a `tap`
  kKeep,       // tensor -> image (reference only), count: bytes used; exhausted: no room
  kHold,       // tensor -> a private copy called `into`
  kRestore,    // tensor <- a, in `ranges` -> words: why not, where the dtype does not hold a value
  kPoison,     // tensor <- poison `which`, within `domain` if given
  kElements,   // tensor's dtype, a against b, over `ranges` -> elements
  kRows,       // tensor's dtype, columns, a against b -> rows
  kUnwritten,  // elements that are poison 0 in a and poison 1 in b, over `ranges` -> ranges, count
  kWritten,    // the others -> ranges, count
  kChanged,    // 64-byte blocks that differ between a and b -> ranges of elements, count
  kDomain,     // a against `domain` -> outside
  kDigest,     // a -> digest
  kBytes,      // a -> bytes
  kDecisions,  // choices a against b, with scores c (or none) of the reference -> decisions
  kWatch,      // remembers every tensor but scratch and sync
  kStrays,  // what changed since kWatch, but for constants: not in `allowed`, outside `within` ->
            // strays
  kConstants,  // those that changed since they were first watched, or last asked for -> strays
  kProve,      // tensor, a view: what does not hold of it -> words
  kAsk,        // question -> answer
  kCopyRate,   // copies memory of its own -> count: bytes, seconds; see copy_rate.h
  kServe,      // request -> words: the engine's response, both as docs/serving.md has them; none
               // where it does not serve
  kCounters,   // -> words: the engine's counters, a JSON object; none where it counts nothing
  kSaveState,  // slot, path -> state
  kLoadState,  // slot, path -> state
};

struct Instruction {
  Do what = Do::kReset;
  std::shared_ptr<const Step> step;
  std::string program;
  std::uint32_t lo = 0, hi = 0;
  bool whole = false;
  // Carried out inside the kRunTapped before it, as soon as that op has written `tensor`, which is
  // all of the engine's memory that can be reached then.
  std::optional<std::uint32_t> tap;
  TensorRef tensor;
  Source a, b;
  TensorRef scores;  // of kDecisions; without a name: there are none
  Source c;
  std::string into;
  // Of kElements, kUnwritten and kRestore, where: `ranges`, or, of the first two, what the
  // instruction of that index in the same script found, or everywhere.
  std::optional<ElementRanges> ranges;
  std::optional<std::uint32_t> ranges_of;
  std::uint32_t which = 0;  // poison 0 or 1
  std::optional<ValueRange> domain;
  std::uint32_t columns = 0;
  std::vector<std::string> allowed;
  std::map<std::string, ElementRanges> within;
  std::shared_ptr<const TokenQuestion> question;
  std::string request;
  std::uint32_t slot = 0;
  std::string path;
};

struct Stray {
  std::string tensor;
  std::uint64_t bytes = 0;
  std::uint64_t first_offset = 0;
  // Of a constant: `bytes` and `first_offset` are those of the pages that changed.
  bool whole_pages = false;
};

// What one instruction returned; only the fields that it names are set.
struct Result {
  Image image;
  bool exhausted = false;
  ElementStats elements;
  // Of kElements, when something differs: a's and b's value at the worst index, as text.
  std::optional<std::pair<std::string, std::string>> worst_values;
  std::vector<RowStats> rows;
  DecisionStats decisions;
  ElementRanges ranges;
  std::uint64_t count = 0;
  OutsideRange outside;
  std::string digest;
  std::vector<std::uint8_t> bytes;
  std::vector<Stray> strays;
  std::string words;
  std::optional<TokenAnswer> answer;
  std::optional<StateAnswer> state;
  double seconds = 0;  // of kRun, kKeep and kCopyRate
};

// Instructions in order, for one rank. Each method returns its instruction's index, where its
// result will be found.
class Script {
 public:
  std::size_t Reset();
  std::size_t Stage(std::shared_ptr<const Step> step);
  std::size_t Run(const std::string& program, std::uint32_t lo, std::uint32_t hi);
  std::size_t RunWhole(const std::string& program, std::uint32_t ops);
  std::size_t RunTapped(const std::string& program, std::uint32_t ops);
  // What is added from now on belongs to a tap at `op` of the RunTapped before; nullopt: to none.
  void At(std::optional<std::uint32_t> op) { tap_ = op; }
  std::size_t Keep(const TensorRef& tensor);
  std::size_t Hold(const TensorRef& tensor, std::string into);
  std::size_t Restore(const TensorRef& tensor, Source from,
                      std::optional<ElementRanges> ranges = std::nullopt);
  std::size_t Poison(const TensorRef& tensor, std::uint32_t which,
                     std::optional<ValueRange> domain);
  std::size_t Elements(const TensorRef& tensor, Source a, Source b,
                       std::optional<ElementRanges> ranges = std::nullopt);
  std::size_t ElementsWithin(const TensorRef& tensor, Source a, Source b, std::size_t ranges_of);
  std::size_t Rows(const TensorRef& tensor, std::uint32_t columns, Source a, Source b);
  // `scores` of the reference, `columns` to a row, in `taken_from`; without a name: none.
  std::size_t Decisions(const TensorRef& tensor, Source a, Source b, const TensorRef& scores,
                        std::uint32_t columns, Source taken_from);
  std::size_t Unwritten(const TensorRef& tensor, Source a, Source b,
                        std::optional<ValueRange> domain,
                        std::optional<ElementRanges> ranges = std::nullopt);
  std::size_t Written(const TensorRef& tensor, Source a, Source b,
                      std::optional<ValueRange> domain);
  std::size_t Changed(const TensorRef& tensor, Source a, Source b);
  std::size_t CheckDomain(const TensorRef& tensor, Source a, const ValueRange& domain);
  std::size_t Digest(const TensorRef& tensor, Source a);
  std::size_t Bytes(const TensorRef& tensor, Source a);
  std::size_t Watch();
  std::size_t Strays(std::vector<std::string> allowed, std::map<std::string, ElementRanges> within);
  std::size_t ChangedConstants();
  std::size_t Prove(const TensorRef& view);

  std::size_t Ask(TokenQuestion question);
  std::size_t CopyRate();
  std::size_t Serve(std::string request);
  std::size_t Counters();
  std::size_t SaveState(std::uint32_t slot, std::string path);
  std::size_t LoadState(std::uint32_t slot, std::string path);

  const std::vector<Instruction>& instructions() const { return instructions_; }

 private:
  std::size_t Add(Instruction instruction);
  std::vector<Instruction> instructions_;
  std::optional<std::uint32_t> tap_;
};

using Results = std::vector<Result>;  // one per instruction

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_SCRIPT_H_
