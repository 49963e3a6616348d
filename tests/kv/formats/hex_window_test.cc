#include "suites/kv/formats/hex_window.h"

#include <gtest/gtest.h>

namespace parity::kv {
namespace {

std::vector<WindowByte> Bytes(const std::string& text) {
  std::vector<WindowByte> bytes;
  for (const char c : text) bytes.push_back({static_cast<std::uint8_t>(c), false});
  return bytes;
}

TEST(HexWindow, MarksEveryByteThatDiffers) {
  EXPECT_EQ(
      HexWindow(0x20, Bytes("0123456789abcdefXY"), Bytes("0123x56789abcdeXXY")),
      "00000020 reference  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
      "         candidate  30 31 32 33 78 35 36 37 38 39 61 62 63 64 65 58  0123x56789abcdeX\n"
      "                                ^^                               ^^\n"
      "00000030 reference  58 59                                            XY\n"
      "         candidate  58 59                                            XY\n");
}

TEST(HexWindow, MarksWhatOneSideLacks) {
  EXPECT_EQ(HexWindow(0, Bytes("ab"), Bytes("abc\n")),
            "00000000 reference  61 62                                            ab\n"
            "         candidate  61 62 63 0a                                      abc.\n"
            "                          ^^ ^^\n");
}

TEST(HexWindow, MaskedBytesAreNotShownAndNotDifferent) {
  std::vector<WindowByte> left = Bytes("ab"), right = Bytes("xb");
  left[0].masked = right[0].masked = true;
  EXPECT_EQ(HexWindow(0, left, right),
            "00000000 reference  -- 62                                            .b\n"
            "         candidate  -- 62                                            .b\n");
  right[0].masked = false;
  EXPECT_NE(HexWindow(0, left, right).find("^^"), std::string::npos);
}

TEST(HexWindow, OfNothingIsNothing) { EXPECT_EQ(HexWindow(0, {}, {}), ""); }

}  // namespace
}  // namespace parity::kv
