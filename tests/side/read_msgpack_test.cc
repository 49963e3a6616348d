#include "gtest_parity/side/read_msgpack.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace parity {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

TEST(ReadMsgpack, EveryKindOfValueAsTheLibraryReadsIt) {
  const json values[] = {
      nullptr,
      true,
      -5,
      7u,
      1.5,
      "text",
      json::binary({1, 2, 3}),
      json::array(),
      json::object(),
      {{"a", {1, {2, {3}}, "x"}}, {"b", {{"c", nullptr}, {"d", {{"e", false}}}}}, {"z", {{}, {}}}}};
  for (const json& value : values) {
    EXPECT_EQ(ReadMsgpack(json::to_msgpack(value)), value);
  }
}

TEST(ReadMsgpack, WhatIsNone) {
  for (const Bytes& bytes : {Bytes{},
                             {0xc1},
                             {0x92, 0x01},
                             {0x81, 0x01, 0x01},
                             {0x01, 0x01},
                             {0xdd, 0xff, 0xff, 0xff, 0xff, 0x01}}) {
    EXPECT_THROW(ReadMsgpack(bytes), json::exception);
  }
}

// Without a limit a frame of the stack for each of these bytes.
TEST(ReadMsgpack, NestedBeyondUse) {
  Bytes bytes(kDeepestMessage, 0x91);
  bytes.push_back(0xc0);
  EXPECT_NO_THROW(ReadMsgpack(bytes));
  bytes.insert(bytes.begin(), 0x91);
  EXPECT_THROW(ReadMsgpack(bytes), std::invalid_argument);
  bytes.insert(bytes.begin(), 1 << 24, 0x91);
  EXPECT_THROW(ReadMsgpack(bytes), std::invalid_argument);
}

}  // namespace
}  // namespace parity
