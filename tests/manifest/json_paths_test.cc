#include "gtest_parity/manifest/json_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace parity {
namespace {

using nlohmann::json;

constexpr char kFolder[] = PARITY_SOURCE_DIR "/manifests";

TEST(JsonPaths, AreTakenFromTheFolder) {
  const json value = {
      {"model", {{"path", "tiny"}}}, {"more", {{{"path", "/usr"}}, 7, "tiny"}}, {"path", "tiny"}};
  const json expected = {
      {"model", std::string(kFolder) + "/tiny"}, {"more", {"/usr", 7, "tiny"}}, {"path", "tiny"}};
  EXPECT_EQ(WithPaths(value, kFolder), expected);
}

TEST(JsonPaths, AnythingElseBelowPathIsAsItIs) {
  const json value = {{"a", {{"path", 7}}}, {"b", {{"path", "tiny"}, {"more", 1}}}};
  EXPECT_EQ(WithPaths(value, kFolder), value);
}

TEST(JsonPaths, OneThatDoesNotExistIsToldWithItsPlace) {
  try {
    WithPaths({{"models", {1, {{"path", "no_such_model"}}}}}, kFolder);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "at /models/1/path: no such file: " + std::string(kFolder) +
                  "/no_such_model, expected a file or folder");
  }
}

}  // namespace
}  // namespace parity
