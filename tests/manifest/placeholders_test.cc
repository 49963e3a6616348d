#include "gtest_parity/manifest/placeholders.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

std::string Marked(std::string_view word) {
  return FillPlaceholders(word, [](const Placeholder& one) {
    return "<" + one.name + (one.argument.empty() ? "" : "|" + one.argument) + ">";
  });
}

TEST(Placeholders, AreNamesInBraces) {
  EXPECT_EQ(Marked("--port={port}"), "--port=<port>");
  EXPECT_EQ(Marked("{config:/model/path}:{port}{ranks}"), "<config|/model/path>:<port><ranks>");
  EXPECT_EQ(Marked("plain"), "plain");
  EXPECT_EQ(Marked(""), "");
}

TEST(Placeholders, OtherBracesAreThemselves) {
  for (const char* word :
       {R"({"port": 1})", "{}", "{", "}", "{Port}", "{1}", "${HOME", "{ port }"}) {
    EXPECT_EQ(Marked(word), word);
  }
  EXPECT_EQ(Marked(R"({"port": {port}})"), R"({"port": <port>})");
}

TEST(Placeholders, AreFoundInCommandAndEnvironment) {
  ServerDeclaration server;
  server.command = {"/bin/server", "--port={port}"};
  server.environment = {{"HOME", std::nullopt}, {"KV", "{kv_folder}/kv"}};
  EXPECT_TRUE(Uses(server, "port"));
  EXPECT_TRUE(Uses(server, "kv_folder"));
  EXPECT_FALSE(Uses(server, "config"));
}

}  // namespace
}  // namespace parity
