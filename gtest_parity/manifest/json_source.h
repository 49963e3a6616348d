// A JSON file, and where in it a JSON pointer lies.
#ifndef GTEST_PARITY_MANIFEST_JSON_SOURCE_H_
#define GTEST_PARITY_MANIFEST_JSON_SOURCE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {

class JsonSource {
 public:
  // Throws InvalidInput when the file cannot be read, is not JSON or is nested deeper than 64 levels
  // (with line and column).
  // Duplicate keys, which JSON leaves undefined, are collected.
  explicit JsonSource(const std::string& path);
  // A text that stands for a file called `name`.
  JsonSource(std::string name, std::string text);

  const nlohmann::json& root() const { return root_; }
  const std::string& name() const { return name_; }

  void Add(const std::string& pointer, const std::string& what, std::string got,
           std::string expected);
  const std::vector<Diagnostic>& errors() const { return errors_.all(); }
  // Looks up the lines of what was collected, then throws it.
  void ThrowIfAny();

 private:
  void Parse();

  std::string name_, text_;
  nlohmann::json root_;
  Diagnostics errors_;
  std::vector<std::string> pointers_;  // of each error
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_JSON_SOURCE_H_
