// A strict check that a text is well-formed XML of the kind that the reports write.
#ifndef GTEST_PARITY_TESTS_REPORT_XML_CHECK_H_
#define GTEST_PARITY_TESTS_REPORT_XML_CHECK_H_

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

namespace parity::testing {

// Elements with quoted attributes, each once; the five named entities and legal decimal references;
// one root; no byte that XML 1.0 forbids. Comments, CDATA and DTDs are not written, hence refused.
inline ::testing::AssertionResult IsWellFormed(const std::string& xml) {
  const auto failure = [](const std::string& why) { return ::testing::AssertionFailure() << why; };
  for (const char c : xml) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\t') return failure("a control character");
  }
  static const std::regex kText(R"(([^&<>]|&(amp|lt|gt|quot|apos|#9|#10|#13);)*)");
  static const std::regex kTag(R"(<(/?)([a-z][a-z-]*)((?: [a-z_]+="[^"<>]*")*)(/?)>)");
  static const std::regex kAttribute(R"re( ([a-z_]+)="([^"]*)")re");
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (xml.rfind(head, 0) != 0) return failure("no declaration");
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t at = head.size(); at < xml.size();) {
    if (xml[at] != '<') {
      const std::size_t end = std::min(xml.find('<', at), xml.size());
      const std::string text = xml.substr(at, end - at);
      if (!std::regex_match(text, kText)) return failure("bad text: " + text);
      if (open.empty() && text != "\n") return failure("text outside the root");
      at = end;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return failure("a tag without its end");
    const std::string tag = xml.substr(at, end - at + 1);
    std::smatch match;
    if (!std::regex_match(tag, match, kTag)) return failure("bad tag: " + tag);
    at = end + 1;
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2]) return failure("unbalanced: " + tag);
      open.pop_back();
      continue;
    }
    roots += open.empty() ? 1 : 0;
    std::set<std::string> names;
    const std::string attributes = match[3];
    for (std::sregex_iterator it(attributes.begin(), attributes.end(), kAttribute), none;
         it != none; ++it) {
      if (!names.insert((*it)[1]).second) return failure("attribute twice: " + tag);
      if (!std::regex_match((*it)[2].str(), kText)) return failure("bad attribute: " + tag);
    }
    if (match[4].length() == 0) open.push_back(match[2]);
  }
  if (!open.empty()) return failure("never closed: " + open.back());
  if (roots != 1) return failure("not one root");
  return ::testing::AssertionSuccess();
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_REPORT_XML_CHECK_H_
