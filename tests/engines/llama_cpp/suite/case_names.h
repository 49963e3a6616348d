// Names of cases and of model files, as tests of the engine over llama.cpp say them.
#ifndef GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_SUITE_CASE_NAMES_H_
#define GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_SUITE_CASE_NAMES_H_

#include <set>
#include <string>

namespace parity::testing {

using Names = std::set<std::string>;

// Of the tiny model, by the name of its weights; a path is taken as it is.
inline std::string ModelPath(const std::string& name) {
  if (name.starts_with("/")) return name;
  return std::string(PARITY_LLAMA_MODELS) + "/kjv-2m." + name + ".gguf";
}

// Both programs' cases of one fixture.
inline Names InBoth(const std::string& fixture, const std::string& op) {
  return {fixture + "/prefill" + op, fixture + "/decode" + op};
}

inline Names Joined(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_SUITE_CASE_NAMES_H_
