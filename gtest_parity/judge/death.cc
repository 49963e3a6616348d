#include "gtest_parity/judge/death.h"

namespace parity {
namespace {

const char* VerbOf(Death::Cause cause) {
  switch (cause) {
    case Death::Cause::kSignal:
      return "died: ";
    case Death::Cause::kExit:
      return "left: ";
    case Death::Cause::kHang:
      return "hung: ";
    case Death::Cause::kFailed:
      return "failed: ";
    case Death::Cause::kRefused:
      return "refused: ";
    case Death::Cause::kDeviceLost:
      return "device lost: ";
  }
  return "";
}

std::string RanksText(const std::vector<int>& ranks) {
  if (ranks.empty()) return "rank not known";
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (const int rank : ranks) text += ' ' + std::to_string(rank);
  return text;
}

}  // namespace

std::string Death::Text() const {
  std::string text = VerbOf(cause) + what;
  if (!of_server) text += ", " + RanksText(ranks);
  text += ", " + (run.empty() ? std::string("while loading") : run);
  if (!op.empty()) text += ", op " + op;
  if (during_setup) text += ", during setup";
  if (!output.empty()) text += "; it printed last:\n" + output;
  return text;
}

}  // namespace parity
