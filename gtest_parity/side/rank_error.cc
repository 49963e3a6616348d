#include "gtest_parity/side/rank_error.h"

#include <algorithm>
#include <optional>

namespace parity {
namespace {

std::vector<RankError> ErrorsOf(const Disagreement& disagreement,
                                const std::vector<RankError>& errors) {
  std::vector<RankError> of_each;
  for (const int rank : disagreement.ranks) {
    // One that returned without the collective says nothing: it is told where the others wait.
    const auto own = std::find_if(errors.begin(), errors.end(), [&](const RankError& error) {
      return error.rank == static_cast<std::uint32_t>(rank);
    });
    RankError error;
    if (!errors.empty()) error = own != errors.end() ? *own : errors.front();
    error.rank = static_cast<std::uint32_t>(rank);
    error.status = PARITY_INVALID;
    error.words = disagreement.words;
    of_each.push_back(error);
  }
  return of_each;
}

}  // namespace

std::vector<RankError> OnlyToBlame(std::vector<RankError> errors, const Meeting& meeting) {
  if (const std::optional<Disagreement> disagreement = meeting.disagreement()) {
    return ErrorsOf(*disagreement, errors);
  }
  const auto to_blame = [](const RankError& error) { return error.status != PARITY_CANCELLED; };
  if (std::any_of(errors.begin(), errors.end(), to_blame)) {
    std::erase_if(errors, [&](const RankError& error) { return !to_blame(error); });
  }
  return errors;
}

}  // namespace parity
