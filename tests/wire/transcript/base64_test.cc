#include "suites/wire/transcript/base64.h"

#include <gtest/gtest.h>

namespace parity::wire {
namespace {

// The vectors of RFC 4648, section 10.
TEST(Base64, PublishedVectors) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(Base64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
}

TEST(Base64, EveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(FromBase64(Base64(bytes)), bytes);
}

TEST(Base64, WhatIsNone) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Z", "====", " Zg==", "Zg==\n", "Zm8!"}) {
    EXPECT_EQ(FromBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace parity::wire
