// The kinds of ways in which a record is damaged.
#ifndef GTEST_PARITY_SUITES_KV_DAMAGE_GROUPS_H_
#define GTEST_PARITY_SUITES_KV_DAMAGE_GROUPS_H_

#include <array>
#include <string_view>

namespace parity::kv {

// The first word of a harm's slug; each is one case of a lane.
inline constexpr std::array<std::string_view, 10> kDamageGroups = {
    "flip", "cut", "trailing", "wrong", "most", "sparse", "name", "unreadable", "pipe", "changed"};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_DAMAGE_GROUPS_H_
