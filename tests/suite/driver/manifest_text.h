// A manifest as text, for tests that spoil one part of it.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_MANIFEST_TEXT_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_MANIFEST_TEXT_H_

#include <string>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

struct SideText {
  std::string library, engine;
  std::string description;  // absolute
  std::string backend = "host";
  std::string more = {};  // ", key: value"
};

inline SideText Paged() {
  return {"parity_tiny", "paged", InSource("manifests/tiny/paged.f32.json")};
}
inline SideText Ported() {
  return {"parity_tiny_ported", "ported", InSource("manifests/tiny/ported.f32.json")};
}

inline std::string Text(const SideText& side) {
  return "{library: " + side.library + ", engine: " + side.engine +
         ", description: " + side.description + ", backend: " + side.backend +
         ", config: {model: {path: " + InSource("manifests/tiny/model") + "}, dtype: f32}" +
         side.more + "}";
}

// A short workload, every span exact; `rest` is appended.
inline std::string ManifestText(const SideText& reference, const SideText& candidate,
                                const std::string& rest = "") {
  return "parity: 1\nname: written\nreference: " + Text(reference) +
         "\ncandidate: " + Text(candidate) +
         "\nworkload: {prompts: " + InSource("manifests/tiny/model/prompts.jsonl") +
         ", decode_steps: 2}\n" + rest;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_MANIFEST_TEXT_H_
