// Any bytes as text that XML 1.0 allows.
#ifndef GTEST_PARITY_REPORT_XML_TEXT_H_
#define GTEST_PARITY_REPORT_XML_TEXT_H_

#include <string>
#include <string_view>

namespace parity {

// Escapes markup, and writes as visible text what XML cannot hold even escaped: control characters
// and bytes that are not UTF-8 as "\x1b", the non-characters U+FFFE and U+FFFF as "\ufffe".
// Line breaks and tabs become character references, without which an attribute would lose them.
std::string XmlAttributeText(std::string_view text);

// The same for the content of an element, which keeps its lines as they are.
std::string XmlContentText(std::string_view text);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_XML_TEXT_H_
