#include "gtest_parity/replay/fields_json.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

std::string Nested(std::size_t levels) {
  return R"({"a": )" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

TEST(ParseRecordingJson, AnObjectAsDeepAsAny) {
  EXPECT_EQ(ParseRecordingJson(R"({"a": [1]})"), Json({{"a", {1}}}));
  EXPECT_NO_THROW(ParseRecordingJson(Nested(64)));
}

TEST(ParseRecordingJson, RefusesWhatIsNoneOrDeeper) {
  for (const std::string& text : {std::string(), std::string("[]"), std::string("{"), Nested(65),
                                  Nested(200000), std::string("{}\0\"", 4)}) {
    EXPECT_THROW(ParseRecordingJson(text), RecordingRefused) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace parity
