#include "gtest_parity/manifest/yaml_expansion.h"

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {
namespace {

class Counter {
 public:
  explicit Counter(const std::string& name) : name_(name) {}

  void Count(const YAML::Node& node, std::size_t depth) {
    if (depth > kDeepestYaml) {
      Fail(node, "nested too deep, or an alias inside what it names",
           "at most " + std::to_string(kDeepestYaml) + " levels");
    }
    if (++values_ > kMostYamlValues) {
      Fail(node, "too large, with every alias written out",
           "at most " + std::to_string(kMostYamlValues) + " values");
    }
    if (node.IsSequence()) {
      for (const YAML::Node& one : node) Count(one, depth + 1);
    } else if (node.IsMap()) {
      for (const auto& entry : node) {
        Count(entry.first, depth + 1);
        Count(entry.second, depth + 1);
      }
    }
  }

 private:
  [[noreturn]] void Fail(const YAML::Node& node, const char* what, const std::string& expected) {
    throw InvalidInput({{name_, PositionOf(node), what, "", expected}});
  }

  const std::string& name_;
  std::size_t values_ = 0;
};

}  // namespace

void CheckExpansion(const YAML::Node& root, const std::string& name) {
  Counter(name).Count(root, 1);
}

}  // namespace parity
