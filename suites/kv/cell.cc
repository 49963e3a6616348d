#include "suites/kv/cell.h"

#include "suites/kv/examine.h"

namespace parity::kv {

std::string ListOf(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string Got(const std::string& what, const std::string& got, const std::string& expected) {
  return what + ": got " + got + ", expected " + expected;
}

std::string Got(const std::string& what, std::uint64_t got, std::uint64_t expected) {
  return Got(what, std::to_string(got), std::to_string(expected));
}

std::string_view NameOf(Check check) {
  constexpr std::array<std::string_view, kAllChecks.size()> names = {"record", "accepted", "reuse",
                                                                     "continuation", "files"};
  return names[static_cast<std::size_t>(check)];
}

void Checked::Expect(bool holds, const std::string& signature, const std::string& words) {
  ++compared;
  if (!holds) findings.push_back({signature, words});
}

void Checked::CannotTell(const std::string& why) {
  if (unproven.empty()) unproven = why;
}

Checked Examine(Check check, const Cell& cell, const Rules& rules) {
  switch (check) {
    case Check::kRecord:
      return ExamineRecord(cell, rules);
    case Check::kAccepted:
      return ExamineAccepted(cell);
    case Check::kReuse:
      return ExamineReuse(cell);
    case Check::kContinuation:
      return ExamineContinuation(cell, rules);
    case Check::kFiles:
      return ExamineFiles(cell);
  }
  return {};
}

}  // namespace parity::kv
