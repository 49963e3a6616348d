// Questions to a KV policy, without a model or a folder.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_POLICY_QUESTIONS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_POLICY_QUESTIONS_H_

#include <nlohmann/json.hpp>

#include "gtest_parity/engines/tiny/serve/kv_policy.h"

namespace parity::tiny {

// {"do": "policy", "questions": [...]} -> {"answers": [...]}. Throws EngineError (PARITY_INVALID).
nlohmann::ordered_json AnswerPolicy(const nlohmann::ordered_json& request, const KvPolicy& policy);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_POLICY_QUESTIONS_H_
