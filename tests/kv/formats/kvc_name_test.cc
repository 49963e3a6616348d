#include "suites/kv/formats/kvc_name.h"

#include <gtest/gtest.h>

namespace parity::kv {
namespace {

constexpr char kAbc[] = "a9993e364706816aba3e25717850c26c9cd0d89d";

TEST(KvcName, IsTheTextsSha1) { EXPECT_EQ(KvcFileName("abc"), std::string(kAbc) + ".kv"); }

TEST(KvcName, DigitsMayHaveEitherCase) {
  EXPECT_EQ(KvcKeyOf(std::string(kAbc) + ".kv"), kAbc);
  EXPECT_EQ(KvcKeyOf("A9993E364706816ABA3E25717850C26C9CD0D89D.kv"), kAbc);
  EXPECT_EQ(KvcKeyOf("a9993E364706816aba3e25717850c26c9cd0d89D.kv"), kAbc);
}

TEST(KvcName, EverythingElseIsNoRecord) {
  const std::string abc = kAbc;
  for (const std::string& name :
       {abc, abc + ".KV", abc + ".Kv", abc + ".kw", abc + "0.kv", abc.substr(1) + ".kv",
        "g" + abc.substr(1) + ".kv", "." + abc.substr(1) + ".kv", abc + ".kv.tmp.77",
        abc + ".kv.tmp.77.1", std::string(".payload.77.1"), std::string(".kv"), std::string()}) {
    EXPECT_EQ(KvcKeyOf(name), std::nullopt) << name;
  }
}

// Every character in the place of a digit.
TEST(KvcName, DigitsAreHexadecimal) {
  for (int c = 0; c < 256; ++c) {
    std::string name = std::string(kAbc) + ".kv";
    name[17] = static_cast<char>(c);
    EXPECT_EQ(KvcKeyOf(name).has_value(), std::isxdigit(c) != 0) << c;
  }
}

}  // namespace
}  // namespace parity::kv
