// What can be wrong with a record, each class with a stable name and who refuses it.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_PROBLEM_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_PROBLEM_H_

#include <span>
#include <string>
#include <string_view>

namespace parity::kv {

enum class ProblemKind {
  kUnreadable,
  kTooShort,
  kBadMagic,
  kBadVersion,
  kBadQuant,
  kZeroTokens,
  kBadAbi,
  kSizeOverflow,
  kTruncated,
  kBadField,
  kTrailingBytes,
  kNameMalformed,
  kNameMismatch,
  kTokensNegative,
  kIdentityMissing,
  kIdentityMismatch,
  kPayloadTruncated,
  kPayloadMagic,
  kPayloadVersion,
  kPayloadRows,
  kPayloadTokens,
  kPayloadContext,
  kPayloadCapacity,
  kPayloadTrailing,
  kOtherFamily,
  kOtherDimension,
  kTooManyLayers,
  kTooManyStreams,
  kTrailerMagic,
  kTrailerVersion,
  kTrailerCount,
  kTrailerTruncated,
  kTrailerIdLength,
  kTrailerBlockLength,
  kTrailerDuplicate,
  kTrailerNul,
  kTrailerExcess,
  kTrailerAbsent,
  kTrailerUnflagged,
  kToolIdForm,
  kContextFull,
  kNameUpperCase,
  kTrailingIgnored,
  kNotChecked,
};

// The first who refuses: the scan of a folder, the load of one record, the engine that reads its
// payload, or nobody: the reader carries on.
enum class RefusedBy { kIndex, kLoad, kEngine, kNobody };

struct ProblemInfo {
  ProblemKind kind;
  std::string_view id;  // "bad_magic"
  RefusedBy refused_by;
  std::string_view meaning;  // one line
};

// In the order of the enumeration.
std::span<const ProblemInfo> AllProblems();

const ProblemInfo& InfoOf(ProblemKind kind);
std::string_view NameOf(ProblemKind kind);
std::string_view NameOf(RefusedBy who);

struct Problem {
  ProblemKind kind;
  std::string where;  // the field or section: "trailer[1].id"
  std::string words;  // what was found and what was expected
  bool operator==(const Problem&) const = default;
};

inline bool Refuses(const Problem& problem) {
  return InfoOf(problem.kind).refused_by != RefusedBy::kNobody;
}

// "bad_quant: quant_bits: got 8, expected 2 or 4"
std::string TextOf(const Problem& problem);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_PROBLEM_H_
