#include "suites/kv/formats/problem.h"

#include <gtest/gtest.h>

#include <set>

namespace parity::kv {
namespace {

TEST(Problem, EveryClassHasANameOfItsOwnAndAMeaning) {
  std::set<std::string_view> ids;
  for (const ProblemInfo& info : AllProblems()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_FALSE(info.meaning.empty()) << info.id;
    EXPECT_EQ(info.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    EXPECT_EQ(&InfoOf(info.kind), &info);
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(ProblemKind::kNotChecked) + 1);
}

TEST(Problem, SaysWhoRefuses) {
  EXPECT_EQ(NameOf(InfoOf(ProblemKind::kBadMagic).refused_by), "index");
  EXPECT_EQ(NameOf(InfoOf(ProblemKind::kNameMismatch).refused_by), "load");
  EXPECT_EQ(NameOf(InfoOf(ProblemKind::kPayloadVersion).refused_by), "engine");
  EXPECT_EQ(NameOf(InfoOf(ProblemKind::kTrailerMagic).refused_by), "nobody");
  EXPECT_TRUE(Refuses({ProblemKind::kPayloadVersion, "", ""}));
  EXPECT_FALSE(Refuses({ProblemKind::kTrailerCount, "", ""}));
}

TEST(Problem, TextNamesClassPlaceAndWords) {
  EXPECT_EQ(TextOf({ProblemKind::kBadQuant, "quant_bits", "got 8, expected 2 or 4"}),
            "bad_quant: quant_bits: got 8, expected 2 or 4");
  EXPECT_EQ(TextOf({ProblemKind::kUnreadable, "", "gone"}), "unreadable: gone");
}

}  // namespace
}  // namespace parity::kv
