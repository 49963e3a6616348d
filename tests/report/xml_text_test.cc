#include "gtest_parity/report/xml_text.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

TEST(XmlText, EscapesMarkup) {
  EXPECT_EQ(XmlAttributeText("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&apos;");
  EXPECT_EQ(XmlContentText("]]>"), "]]&gt;");
}

TEST(XmlText, KeepsLineBreaks) {
  EXPECT_EQ(XmlAttributeText("a\tb\nc\rd"), "a&#9;b&#10;c&#13;d");
  EXPECT_EQ(XmlContentText("a\tb\nc\rd"), "a\tb\nc&#13;d");
}

TEST(XmlText, ShowsControlCharacters) {
  EXPECT_EQ(XmlContentText("\x1b[31m red"), "\\x1b[31m red");
  EXPECT_EQ(XmlContentText(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(XmlContentText("\x7f"), "\\x7f");
}

TEST(XmlText, KeepsUtf8) {
  EXPECT_EQ(XmlContentText("é · ‖ 𝄞"), "é · ‖ 𝄞");
  EXPECT_EQ(XmlContentText("\xed\x9f\xbf\xee\x80\x80"), "\xed\x9f\xbf\xee\x80\x80");
}

TEST(XmlText, ShowsWhatIsNotUtf8) {
  EXPECT_EQ(XmlContentText("\xff"), "\\xff");
  EXPECT_EQ(XmlContentText("\xc3"), "\\xc3") << "cut short";
  EXPECT_EQ(XmlContentText("\xc3x"), "\\xc3x") << "no continuation";
  EXPECT_EQ(XmlContentText("\xc0\x80"), "\\xc0\\x80") << "overlong";
  EXPECT_EQ(XmlContentText("\xe0\x80\x80"), "\\xe0\\x80\\x80") << "overlong";
  EXPECT_EQ(XmlContentText("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(XmlContentText("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond U+10FFFF";
  EXPECT_EQ(XmlContentText("\xef\xbf\xbe\xef\xbf\xbf"), "\\ufffe\\uffff") << "non-characters";
}

}  // namespace
}  // namespace parity
