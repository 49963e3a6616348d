#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

constexpr MutantHost kWrong = MutantHost::kCandidate;
constexpr MutantHost kNoisy = MutantHost::kReference;

}  // namespace

std::span<const Mutant> AllMutants() {
  static const char kAttention[] = "layer{}.attention";
  static const char kStore[] = "layer{}.store";
  // Layers are those where the effect is as large, or as small, as the mutant's purpose needs.
  // clang-format off
  static const std::vector<Mutant> kMutants = {
      {"negative_zero", "zeros become -0 (the sine at position 0 is one)",
       kWrong, {"rope_rows"}, 0, nullptr, NegateZeros},
      {"round", "one op's output is rounded once more: f32 to bf16, bf16 to one bit less",
       kWrong, {kAttention}, 2, nullptr, RoundOnceMore},
      {"drift", "one matrix is `factor` times what it should be",
       kWrong, {"layer{}.gate", "layer{}.o"}, 0, nullptr, ScaleByFactor},
      {"rope_off_by_one", "queries are rotated as if one position further on",
       kWrong, {"layer{}.rope", "layer{}.qkv"}, 1, nullptr, RotateOnePosition},
      {"stale_page", "decode at a page's first token reads the page before it",
       kWrong, {kAttention}, 0, ReadStalePage, RestorePages},
      {"flip_argmax", "the last row's best logit changes places with one that is `at_least` lower",
       kWrong, {"logits"}, 0, nullptr, ExchangeBestTwo},
      {"nan_lane", "one element of one op's output is NaN",
       kWrong, {kAttention}, 1, nullptr, StoreNan},
      {"leak", "one op also stores into a state that it does not declare",
       kWrong, {kAttention}, 1, nullptr, StoreElsewhere},
      {"missing_write", "one op leaves the last column of its output unwritten",
       kWrong, {kAttention}, 1, SaveOutput, RestoreLastColumn},
      {"reads_poison", "one op adds 0 times what was in its output",
       kWrong, {kAttention}, 1, SaveOutput, AddZeroTimesOld},
      {"bad_token", "next_token is outside the vocabulary",
       kWrong, {"next_token"}, 0, nullptr, StoreBadToken},
      {"wrong_rank1", "one op's output is 9/8 of what it should be on rank 1",
       kWrong, {kAttention}, 1, nullptr, ScaleByNineEighths},
      {"tied_draft", "the first draft is the last of those that are tied, not the first",
       kWrong, {"draft1"}, 0, nullptr, ChooseOtherOfEquals},
      {"wrong_choice", "each row's first choice is what its scores speak against most",
       kWrong, {"draft1"}, 0, nullptr, ChooseWorst},
      {"no_expert", "each row's first expert is number 7 of 4",
       kWrong, {"layer{}.top_experts", "layer{}.route"}, 1, nullptr, StoreNoChoice},
      {"accept_one_more", "one draft more, or one less, is accepted than agrees",
       kWrong, {"accept"}, 0, nullptr, AcceptOneMore},
      {"ulp", "the first element of each row of one op's output is one ulp further from 0",
       kWrong, {"layer{}.q", "layer{}.qkv"}, 1, nullptr, AddOneUlp},
      {"tie_high", "of equal best logits the last is chosen, not the first",
       kWrong, {"next_token"}, 0, nullptr, TakeHighestOfTies},
      {"repeat_at_page", "the token after a page's last one repeats it",
       kWrong, {"next_token"}, 0, nullptr, RepeatAtPageEdge},
      {"eos_ignored", "`token` is never chosen",
       kWrong, {"next_token"}, 0, nullptr, NeverEnd},
      // Of the tokenizer, not of an op: tokens/faulty.cc.
      {"bos_missing", "a text with special ids has no bos", kWrong, {}, 0, nullptr, nullptr},
      {"bos_twice", "a framed prompt begins with two", kWrong, {}, 0, nullptr, nullptr},
      {"special_off_by_one", "eos is said to be the id after it", kWrong, {}, 0, nullptr, nullptr},
      {"bytes_off_by_one", "a byte that is no character is taken for another",
       kWrong, {}, 0, nullptr, nullptr},
      {"special_in_text", "text that spells a special token is always that token",
       kWrong, {}, 0, nullptr, nullptr},
      {"special_shown", "special ids are decoded as their text", kWrong, {}, 0, nullptr, nullptr},
      {"stream_breaks", "a stream decodes each id by itself", kWrong, {}, 0, nullptr, nullptr},
      {"frame_parses", "a message can end its own turn", kWrong, {}, 0, nullptr, nullptr},
      {"crash", "SIGSEGV", kWrong, {kAttention}, 1, nullptr, Crash},
      {"exit0", "the process exits with status 0", kWrong, {kAttention}, 1, nullptr, ExitZero},
      {"exit77", "the process exits with status 77",
       kWrong, {kAttention}, 1, nullptr, ExitSeventySeven},
      {"hang", "sleeps for ever, deaf to cancel", kWrong, {kAttention}, 1, nullptr, Hang},
      {"slow", "one op takes a hundred times as long",
       kWrong, {kAttention}, 1, StartTimer, TakeAHundredfold},
      {"scribble", "stores into the harness's recording, if this process has it mapped",
       kWrong, {kAttention}, 1, nullptr, Scribble},
      {"tap_rounds", "one op rounds its output once more where a tap looks at it",
       kWrong, {kAttention}, 1, nullptr, RoundIfTapped},
      {"dead_tap", "what a tap shows of one op's output is a copy that nothing reads",
       kWrong, {kAttention}, 1, nullptr, nullptr, true},
      {"looks_ahead", "attention sees one token more, where this step has it",
       kWrong, {kAttention}, 1, LookOneAhead, RestorePositions},
      {"mixes_sequences", "an eighth of the first row is added to rows of other sequences",
       kWrong, {kAttention}, 1, nullptr, MixSequences},
      {"wrong_head", "each key head is stored from the head before it",
       kWrong, {kStore}, 1, ShiftKeyHeads, RestoreProjections},
      {"neighbour_value", "each value is stored from the row after it",
       kWrong, {kStore}, 1, ShiftValueTokens, RestoreProjections},
      {"view_reversed", "import puts a view's tokens in reverse order",
       kWrong, {kStore}, 0, nullptr, nullptr, false, ViewLie::kImportReversed},
      {"view_short", "export leaves a view's last token unwritten",
       kWrong, {kStore}, 0, nullptr, nullptr, false, ViewLie::kExportShort},
      {"view_moves", "export changes the tensor itself",
       kWrong, {kStore}, 0, nullptr, nullptr, false, ViewLie::kExportMoves},
      {"view_backwards", "export and import agree on elements in reverse order",
       kWrong, {kStore}, 0, nullptr, nullptr, false, ViewLie::kBackwards},
      {"noisy", "linear ops add partial sums in a random order",
       kNoisy, {}, 0, ShuffleSums, nullptr},
      {"noisy_batched", "noisy in steps of several sequences",
       kNoisy, {}, 0, ShuffleSumsOfBatches, nullptr},
      {"noisy_rank0", "noisy on rank 0", kNoisy, {}, 0, ShuffleSumsOnRank0, nullptr},
      {"noisy_layer0", "noisy in layer 0", kNoisy, {}, 0, ShuffleSumsInLayer0, nullptr},
  };
  // clang-format on
  return kMutants;
}

}  // namespace parity::tiny
