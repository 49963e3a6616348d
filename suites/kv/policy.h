// The pure rules of both stores, over the same random stores.
#ifndef GTEST_PARITY_SUITES_KV_POLICY_H_
#define GTEST_PARITY_SUITES_KV_POLICY_H_

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "suites/kv/server.h"

namespace parity::kv {

// What is asked, by docs/serving.md's names; each is one case.
inline constexpr std::array<std::string_view, 10> kPolicyQuestions = {
    "store_len", "continued_target", "bank_due", "anchor",    "fits", "score",
    "evict",     "lookup",           "lcp",      "compatible"};
inline constexpr std::uint64_t kQuestionsOfEach = 10000;

// `count` questions of that kind, the same for the same seed.
std::vector<nlohmann::json> RandomQuestions(std::string_view ask, std::uint64_t seed,
                                            std::uint64_t count);

// Whether two answers to `question` are the same: scores to 1e-12 of their size, and an order of
// eviction up to records that are alike in all that is told of them.
bool SameAnswer(const nlohmann::json& question, const nlohmann::json& reference,
                const nlohmann::json& candidate);

using PolicyAnswers = std::map<std::string, std::vector<nlohmann::json>>;  // by what was asked

// Asks all of `kinds`. Throws SideFailure, and std::runtime_error for answers that are none.
PolicyAnswers AskPolicy(const std::vector<std::string>& kinds, std::uint64_t seed, Server& server);

Verdict JudgePolicy(const std::string& ask, std::uint64_t seed, const PolicyAnswers& reference,
                    const PolicyAnswers& candidate);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_POLICY_H_
