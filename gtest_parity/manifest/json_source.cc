#include "gtest_parity/manifest/json_source.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest_parity/manifest/json_text.h"

namespace parity {
namespace {

Position PositionOfByte(const std::string& text, std::size_t byte) {
  Position at{1, 1};
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    at.column = text[i] == '\n' ? 1 : at.column + 1;
    at.line += text[i] == '\n';
  }
  return at;
}

// A reference token of RFC 6901.
std::string Unescaped(const std::string& token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    text += !escape ? token[i] : (token[++i] == '1' ? '/' : '~');
  }
  return text;
}

// JSON is YAML, whose reader keeps positions; this is done for files with errors only.
Position PositionOfPointer(const YAML::Node& root, const std::string& pointer) {
  YAML::Node node;
  node.reset(root);
  std::istringstream parts(pointer.empty() ? "" : pointer.substr(1));
  for (std::string part; std::getline(parts, part, '/');) {
    part = Unescaped(part);
    const YAML::Node& present = node;
    const bool index = part.find_first_not_of("0123456789") == std::string::npos;
    if (!node.IsMap() && !(node.IsSequence() && index)) break;
    const YAML::Node next = node.IsMap() ? present[part] : present[std::stoul(part)];
    if (!next.IsDefined()) break;
    node.reset(next);
  }
  const YAML::Mark mark = node.Mark();
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

std::string ReadText(const std::string& path) {
  std::error_code ignored;
  std::ifstream stream(path);
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw InvalidInput({{path, {}, "cannot be read", "", "an engine description (JSON)"}});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

JsonSource::JsonSource(const std::string& path) : JsonSource(path, ReadText(path)) {}

JsonSource::JsonSource(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  Parse();
}

void JsonSource::Parse() {
  if (EndsEarly(text_)) {
    const Position at = PositionOfByte(text_, text_.find('\0') + 1);
    throw InvalidInput({{name_, at, "not JSON: it has a zero byte", "", ""}});
  }
  try {
    root_ = nlohmann::json::parse(text_);
  } catch (const nlohmann::json::parse_error& error) {
    std::string what = error.what();
    const std::size_t detail = what.rfind(": ");
    if (detail != std::string::npos) what = what.substr(detail + 2);
    throw InvalidInput({{name_, PositionOfByte(text_, error.byte), "not JSON: " + what, "", ""}});
  } catch (const nlohmann::json::out_of_range&) {
    // The parser does not say where.
    throw InvalidInput({{name_, {}, "a number is too large for any double", "", ""}});
  }
  // Shown, copied and looked up by recursion.
  constexpr std::size_t kDeepest = 64;
  if (const std::size_t byte = FindDeeper(text_, kDeepest); byte != std::string::npos) {
    throw InvalidInput({{name_, PositionOfByte(text_, byte + 1), "nested too deep", "",
                         "at most " + std::to_string(kDeepest) + " levels"}});
  }
  for (const DuplicateKey& duplicate : FindDuplicateKeys(text_)) {
    errors_.Add({name_, PositionOfByte(text_, duplicate.byte + 1),
                 "duplicate key " + Quoted(duplicate.key), "", ""});
    pointers_.emplace_back();
  }
}

void JsonSource::Add(const std::string& pointer, const std::string& what, std::string got,
                     std::string expected) {
  const std::string where = pointer.empty() ? what : pointer + ": " + what;
  errors_.Add({name_, {}, where, std::move(got), std::move(expected)});
  pointers_.push_back(pointer);
}

void JsonSource::ThrowIfAny() {
  if (errors_.empty()) return;
  YAML::Node root;
  try {
    root = YAML::Load(text_);
  } catch (const YAML::Exception&) {
    // Positions are a help; without them the pointers still say where.
    errors_.ThrowIfAny();
  }
  Diagnostics placed;
  for (std::size_t i = 0; i < errors_.all().size(); ++i) {
    Diagnostic diagnostic = errors_.all()[i];
    if (diagnostic.at.line == 0) diagnostic.at = PositionOfPointer(root, pointers_[i]);
    placed.Add(std::move(diagnostic));
  }
  placed.ThrowIfAny();
}

}  // namespace parity
