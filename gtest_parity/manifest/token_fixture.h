// Checked-in texts, ids and prompts that both sides are held to.
#ifndef GTEST_PARITY_MANIFEST_TOKEN_FIXTURE_H_
#define GTEST_PARITY_MANIFEST_TOKEN_FIXTURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/json_source.h"

namespace parity {

struct TokenFixture {
  using Ids = std::vector<std::int32_t>;
  struct Special {
    std::string name;
    Ids ids;
  };
  struct Text {
    std::string name;  // [a-z0-9_]+
    std::string bytes;
    Ids ids;           // of the text alone
    Ids with_special;  // with what the model wants around it
    Ids parsed;        // where text that spells a special token is that token
    std::string decoded;
  };
  // Ids that no text comes to by itself.
  struct Decode {
    std::string name;
    Ids ids;
    std::string decoded, shown;  // without and with the text of special ids
  };
  struct Frame {
    std::string name;
    std::string messages;  // JSON
    Ids ids;
  };
  std::string source;  // where its answers come from
  std::vector<Special> special;
  std::vector<Text> texts;
  std::vector<Decode> decodes;
  std::vector<Frame> frames;
};

// {"parity_tokens": 1, "source": ..., "special": {name: id or [ids]}, "texts": {name: {"text" or
// "hex", "ids", "with_special", "parsed", "decoded"}}, "decodes": {name: {"ids", "decoded",
// "shown"}}, "frames": {name: {"messages": [{"role", "content"}], "ids"}}}. Throws InvalidInput
// with every error.
TokenFixture ReadTokenFixture(JsonSource source);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_TOKEN_FIXTURE_H_
