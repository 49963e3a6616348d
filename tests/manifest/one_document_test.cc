#include "gtest_parity/manifest/one_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(LoadOneDocument, OneOrNone) {
  EXPECT_EQ(LoadOneDocument("m.yaml", "a: 1\n")["a"].as<int>(), 1);
  EXPECT_EQ(LoadOneDocument("m.yaml", "---\na: 2\n...\n")["a"].as<int>(), 2);
  for (const char* nothing : {"", "\n", "# a comment\n", "---\n"}) {
    EXPECT_TRUE(LoadOneDocument("m.yaml", nothing).IsNull()) << nothing;
  }
}

TEST(LoadOneDocument, SeveralAreRefused) {
  for (const char* text : {"a: 1\n---\nb: 2\n", "---\n---\n", "a: 1\n---\nb: 2\n---\nc: 3\n"}) {
    EXPECT_THAT([&] { LoadOneDocument("m.yaml", text); },
                ThrowsMessage<InvalidInput>(HasSubstr("several YAML documents, expected one")))
        << text;
  }
}

// What begins no value makes the parser find empty documents without end.
TEST(LoadOneDocument, DocumentsWithoutEndAreRefused) {
  for (const char* text : {", 1\n- [a\n", ",", "a: 1\n---\n,"}) {
    EXPECT_THROW(LoadOneDocument("m.yaml", text), InvalidInput) << text;
  }
}

TEST(LoadOneDocument, NoYamlIsRefused) {
  EXPECT_THAT([] { LoadOneDocument("m.yaml", "a: 1\nb: [1\n"); },
              ThrowsMessage<InvalidInput>(HasSubstr("m.yaml:3:1: not YAML: ")));
}

}  // namespace
}  // namespace parity
