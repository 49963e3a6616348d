#include "gtest_parity/judge/judge_tokens.h"

#include <algorithm>
#include <cstdio>

#include "gtest_parity/judge/finding.h"

namespace parity {
namespace {

constexpr std::size_t kShownBytes = 24;  // of a text, around where it differs

std::string Escaped(const std::string& bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      text += c;
    } else {
      char hex[8];
      std::snprintf(hex, sizeof(hex), "\\x%02x", byte);
      text += hex;
    }
  }
  return text + "\"";
}

// "refused" of "refused: tokenize: guard ...".
std::string StatusOf(const std::string& error) { return error.substr(0, error.find(':')); }

bool Same(const TokenAnswer& a, const TokenAnswer& b) {
  return StatusOf(a.error) == StatusOf(b.error) && a.ids == b.ids && a.texts == b.texts;
}

template <typename Sequence>
std::size_t FirstDifference(const Sequence& a, const Sequence& b) {
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(at.first - a.begin());
}

std::string IdAt(const TokenAnswer& answer, std::size_t at) {
  if (at >= answer.ids.size()) return "nothing";
  const std::string name = at < answer.texts.size() ? answer.texts[at] + " " : "";
  return name + std::to_string(answer.ids[at]);
}

std::string Excerpt(const std::vector<std::string>& texts, std::size_t piece, std::size_t byte) {
  if (piece >= texts.size()) return "nothing";
  const std::size_t from = byte - std::min(byte, kShownBytes / 2);
  return Escaped(texts[piece].substr(from, kShownBytes));
}

// Where two answers differ, and what is there.
struct Difference {
  std::string place, ours, theirs;
};

Difference DifferenceOf(const TokenAnswer& a, const TokenAnswer& b) {
  const auto words = [](const TokenAnswer& answer) {
    return answer.error.empty() ? std::string("an answer") : answer.error;
  };
  if (!a.error.empty() || !b.error.empty()) return {"", words(a), words(b)};
  if (a.ids != b.ids || (!a.ids.empty() && a.texts != b.texts)) {
    const std::size_t names = a.texts == b.texts ? a.ids.size() : FirstDifference(a.texts, b.texts);
    const std::size_t at = std::min(FirstDifference(a.ids, b.ids), names);
    return {" at " + std::to_string(at) + " (lengths " + std::to_string(a.ids.size()) + " and " +
                std::to_string(b.ids.size()) + ")",
            IdAt(a, at), IdAt(b, at)};
  }
  const std::size_t piece = FirstDifference(a.texts, b.texts);
  std::size_t byte = 0;
  if (piece < a.texts.size() && piece < b.texts.size()) {
    byte = FirstDifference(a.texts[piece], b.texts[piece]);
  }
  const std::string in_piece =
      a.texts.size() > 1 || b.texts.size() > 1 ? " of piece " + std::to_string(piece) : "";
  return {" at byte " + std::to_string(byte) + in_piece, Excerpt(a.texts, piece, byte),
          Excerpt(b.texts, piece, byte)};
}

struct Ruled {
  Outcome outcome = Outcome::kPass;
  std::string text;
};

std::string FindingText(const TokenEvidence& evidence, const TokenCheck& check,
                        const std::string& what, const std::string& got,
                        const std::string& allowed) {
  Finding finding;
  finding.where = Where(evidence.name, "", check.rank, check.what);
  finding.what = what;
  finding.got = got;
  finding.allowed = allowed;
  return finding.Text();
}

// What the fixture, or the other thing that both are held to, says of a difference.
std::string SidesWith(const TokenCheck& check) {
  if (!check.expected_of_candidate) return "";
  if (Same(check.candidate, *check.expected_of_candidate)) {
    return "; " + check.expected_by + " agrees with the candidate";
  }
  const bool reference = Same(check.reference, *check.expected_of_reference);
  return reference ? "; " + check.expected_by + " agrees with the reference" : "";
}

Ruled Rule(const TokenEvidence& evidence, const TokenCheck& check) {
  if (!check.reference.offered) {
    return {Outcome::kBlocked, "the reference does not offer `" + check.function + "`"};
  }
  if (!check.candidate.offered) {
    return {Outcome::kFail,
            FindingText(evidence, check,
                        "the candidate does not offer `" + check.function + "`, the reference does",
                        "", "")};
  }
  if (!Same(check.reference, check.candidate)) {
    const Difference at = DifferenceOf(check.reference, check.candidate);
    return {Outcome::kFail, FindingText(evidence, check, "differs" + at.place,
                                        "reference " + at.ours + ", candidate " + at.theirs,
                                        "the reference's answer" + SidesWith(check))};
  }
  if (!check.expected_of_candidate || Same(check.candidate, *check.expected_of_candidate)) {
    return {};
  }
  const Difference at = DifferenceOf(*check.expected_of_candidate, check.candidate);
  const bool alone = Same(check.reference, *check.expected_of_reference);
  return {alone ? Outcome::kFail : Outcome::kPassStar,
          FindingText(evidence, check, "differs" + at.place + " from " + check.expected_by,
                      "expected " + at.ours + ", candidate " + at.theirs +
                          (alone ? "" : ", and the reference answers the same"),
                      "")};
}

void Decide(const std::vector<Ruled>& ruled, Verdict& verdict) {
  for (const Outcome outcome : {Outcome::kFail, Outcome::kBlocked}) {
    const auto found = std::find_if(ruled.begin(), ruled.end(),
                                    [&](const Ruled& one) { return one.outcome == outcome; });
    if (found == ruled.end()) continue;
    verdict.outcome = outcome;
    verdict.summary = found->text;
    return;
  }
  if (verdict.compared == 0 || verdict.compared < verdict.expected) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = "only " + std::to_string(verdict.compared) + " of " +
                      Counted(verdict.expected, "answer") + " were compared";
    return;
  }
  const auto star = std::find_if(ruled.begin(), ruled.end(), [](const Ruled& one) {
    return one.outcome == Outcome::kPassStar;
  });
  verdict.outcome = star == ruled.end() ? Outcome::kPass : Outcome::kPassStar;
  verdict.summary = star == ruled.end() ? Counted(verdict.compared, "answer") + " equal"
                                        : "the reference fails the same way: " + star->text;
}

}  // namespace

Verdict JudgeTokens(const TokenEvidence& evidence) {
  Verdict verdict;
  verdict.expected = evidence.expected;
  std::vector<Ruled> ruled;
  for (const TokenCheck& check : evidence.checks) {
    ruled.push_back(Rule(evidence, check));
    verdict.compared += check.reference.offered && check.candidate.offered;
    if (!ruled.back().text.empty()) verdict.findings.push_back(ruled.back().text);
    if (ruled.back().outcome == Outcome::kBlocked) SetProperty(verdict, "needs", check.function);
    if (ruled.back().outcome == Outcome::kFail && FindProperty(verdict, "rank") == nullptr) {
      SetProperty(verdict, "rank", std::to_string(check.rank));
    }
  }
  Decide(ruled, verdict);
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
  return verdict;
}

}  // namespace parity
