#include "suites/kv/formats/problem.h"

#include <array>

namespace parity::kv {
namespace {

using enum ProblemKind;
using enum RefusedBy;

constexpr std::array<ProblemInfo, static_cast<std::size_t>(kNotChecked) + 1> kProblems = {{
    {kUnreadable, "unreadable", kIndex, "the file cannot be read"},
    {kTooShort, "too_short", kIndex, "shorter than the fixed header: not a record"},
    {kBadMagic, "bad_magic", kIndex, "another magic: not a record"},
    {kBadVersion, "bad_version", kIndex, "a version that the reader does not know"},
    {kBadQuant, "bad_quant", kIndex, "quantisation that no writer has"},
    {kZeroTokens, "zero_tokens", kIndex, "a record of no tokens"},
    {kBadAbi, "bad_abi", kIndex, "a payload of another generation"},
    {kSizeOverflow, "size_overflow", kIndex, "the sections' sizes do not fit 64 bits"},
    {kTruncated, "truncated", kIndex, "the file ends before its sections do"},
    {kBadField, "bad_field", kIndex, "a field fails its description's check"},
    {kTrailingBytes, "trailing_bytes", kIndex, "bytes behind the last section"},
    {kNameMalformed, "name_malformed", kIndex, "no name of a record"},
    {kNameMismatch, "name_mismatch", kLoad, "the name is not the hash of the text"},
    {kTokensNegative, "tokens_negative", kLoad, "2^31 tokens or more: negative, never matched"},
    {kIdentityMissing, "identity_missing", kLoad, "flagged, but there is no identity footer"},
    {kIdentityMismatch, "identity_mismatch", kLoad, "the identity footer is another's"},
    {kPayloadTruncated, "payload_truncated", kEngine, "the payload ends inside a section"},
    {kPayloadMagic, "payload_magic", kEngine, "the payload has another magic"},
    {kPayloadVersion, "payload_version", kEngine, "a payload version that is not read"},
    {kPayloadRows, "payload_rows", kEngine, "token count and live rows disagree"},
    {kPayloadTokens, "payload_tokens", kEngine, "payload and header count other tokens"},
    {kPayloadContext, "payload_context", kEngine, "more tokens than the context holds"},
    {kPayloadCapacity, "payload_capacity", kEngine, "a layer's count exceeds its capacity"},
    {kPayloadTrailing, "payload_trailing", kEngine, "bytes behind the payload's last section"},
    {kOtherFamily, "other_family", kEngine, "the payload is of another model family"},
    {kOtherDimension, "other_dimension", kEngine, "a dimension differs from the engine's"},
    {kTooManyLayers, "too_many_layers", kEngine, "more layers than the engine can have"},
    {kTooManyStreams, "too_many_streams", kEngine, "more streams than the engine can have"},
    {kTrailerMagic, "trailer_magic", kNobody, "no trailer magic: no entries"},
    {kTrailerVersion, "trailer_version", kNobody, "another trailer version: no entries"},
    {kTrailerCount, "trailer_count", kNobody, "more entries than are read: no entries"},
    {kTrailerTruncated, "trailer_truncated", kNobody, "ends inside an entry: those before count"},
    {kTrailerIdLength, "trailer_id_length", kNobody, "id of bad length: the entries before count"},
    {kTrailerBlockLength, "trailer_block_length", kNobody, "block of bad length: as above"},
    {kTrailerDuplicate, "trailer_duplicate", kNobody, "an id twice: the last one counts"},
    {kTrailerNul, "trailer_nul", kNobody, "a zero byte: a C reader's text ends there"},
    {kTrailerExcess, "trailer_excess", kNobody, "bytes behind the last entry"},
    {kTrailerAbsent, "trailer_absent", kNobody, "flagged, but there is no trailer"},
    {kTrailerUnflagged, "trailer_unflagged", kNobody, "a trailer that the flags deny"},
    {kToolIdForm, "tool_id_form", kNobody, "no tool id as writers make them: not masked"},
    {kContextFull, "context_full", kNobody, "exactly full: not every engine loads it"},
    {kNameUpperCase, "name_upper_case", kNobody, "the name of another spelling's record"},
    {kTrailingIgnored, "trailing_ignored", kNobody, "bytes behind the end, read by nobody"},
    {kNotChecked, "not_checked", kNobody, "too much to be read for a check"},
}};

constexpr bool InOrder() {
  for (std::size_t i = 0; i < kProblems.size(); ++i) {
    if (kProblems[i].kind != static_cast<ProblemKind>(i)) return false;
  }
  return true;
}
static_assert(InOrder());

}  // namespace

std::span<const ProblemInfo> AllProblems() { return kProblems; }

const ProblemInfo& InfoOf(ProblemKind kind) { return kProblems[static_cast<std::size_t>(kind)]; }

std::string_view NameOf(ProblemKind kind) { return InfoOf(kind).id; }

std::string_view NameOf(RefusedBy who) {
  constexpr std::array<std::string_view, 4> kNames = {"index", "load", "engine", "nobody"};
  return kNames[static_cast<std::size_t>(who)];
}

std::string TextOf(const Problem& problem) {
  std::string text(NameOf(problem.kind));
  if (!problem.where.empty()) text += ": " + problem.where;
  return text + ": " + problem.words;
}

}  // namespace parity::kv
