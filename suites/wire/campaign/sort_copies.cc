#include "suites/wire/campaign/sort_copies.h"

#include <algorithm>
#include <string>
#include <utility>

#include "suites/wire/rules/view.h"

namespace parity::wire {
namespace {

bool IsAccepted(const Exchange& exchange) {
  Transcript one;
  one.exchanges.push_back(exchange);
  return SideView(one).exchanges()[0].answers[0].IsOk();
}

// `copies` of one connection, from `begin` on.
void SortThose(std::vector<PlannedAsk>* asks, std::size_t begin, std::size_t copies) {
  std::vector<std::pair<bool, Exchange>> sorted;
  std::vector<std::string> names;
  for (std::size_t i = begin; i < begin + copies; ++i) {
    names.push_back((*asks)[i].exchange.name);
    sorted.emplace_back(IsAccepted((*asks)[i].exchange), std::move((*asks)[i].exchange));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first && !b.first; });
  for (std::size_t i = 0; i < copies; ++i) {
    (*asks)[begin + i].exchange = std::move(sorted[i].second);
    (*asks)[begin + i].exchange.name = names[i];
  }
}

}  // namespace

void SortCopies(const Probe& probe, std::vector<PlannedAsk>* asks) {
  std::size_t begin = 0;
  SortThose(asks, begin, probe.own.copies);
  begin += probe.own.copies;
  for (const Ask& ask : probe.beside) {
    SortThose(asks, begin, ask.copies);
    begin += ask.copies;
  }
}

}  // namespace parity::wire
