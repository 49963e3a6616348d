#include "suites/wire/schemas/schemas.h"

#include <map>
#include <memory>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "suites/wire/schemas/schema_texts.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

std::string_view NameOf(SchemaSet set) { return set == SchemaSet::kCore ? "core" : "strict"; }

// "<root>[choices][0]" as "/choices/0".
std::string PointerOf(const std::vector<std::string>& context) {
  std::string pointer;
  for (const std::string& part : context) {
    if (part == "<root>") continue;
    const bool bracketed = part.size() >= 2 && part.front() == '[';
    pointer += "/" + (bracketed ? part.substr(1, part.size() - 2) : part);
  }
  return pointer;
}

// Parsed when they are first asked for: a campaign needs few of them.
class Schemas {
 public:
  explicit Schemas(SchemaSet set) {
    for (const SchemaText& text : SchemaTexts()) {
      if (text.set != NameOf(set)) continue;
      files_.push_back(json::parse(text.text));
      for (const auto& [name, unused] : files_.back().at("definitions").items()) {
        file_of_.emplace(name, files_.size() - 1);
      }
    }
  }

  bool Has(const std::string& name) const { return file_of_.contains(name); }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, file] : file_of_) names.push_back(name);
    return names;
  }

  std::vector<SchemaError> Validate(const std::string& name, const json& value) {
    if (!Has(name)) return {};
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (validator.validate(Find(name), NlohmannJsonAdapter(value), &results)) return {};
    std::vector<SchemaError> errors;
    for (const auto& error : results) {
      errors.push_back({PointerOf(error.context), error.description});
    }
    return errors;
  }

 private:
  const valijson::Schema& Find(const std::string& name) {
    std::unique_ptr<valijson::Schema>& schema = parsed_[name];
    if (schema == nullptr) {
      json& whole = files_[file_of_.at(name)];
      whole["$ref"] = "#/definitions/" + name;
      auto fresh = std::make_unique<valijson::Schema>();
      valijson::SchemaParser parser;
      parser.populateSchema(NlohmannJsonAdapter(whole), *fresh);
      schema = std::move(fresh);
    }
    return *schema;
  }

  std::vector<json> files_;
  std::map<std::string, std::size_t> file_of_;
  std::map<std::string, std::unique_ptr<valijson::Schema>> parsed_;
};

// Of the thread's own, as they are parsed while they are asked.
Schemas& In(SchemaSet set) {
  thread_local Schemas core(SchemaSet::kCore), strict(SchemaSet::kStrict);
  return set == SchemaSet::kCore ? core : strict;
}

}  // namespace

bool HasSchema(SchemaSet set, const std::string& name) { return In(set).Has(name); }

std::vector<std::string> SchemaNames(SchemaSet set) { return In(set).Names(); }

std::vector<SchemaError> Validate(SchemaSet set, const std::string& name, const json& value) {
  return In(set).Validate(name, value);
}

}  // namespace parity::wire
