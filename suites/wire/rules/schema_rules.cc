// What a schema says of each body and event.
#include "suites/wire/schemas/schemas.h"

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

void CheckSchema(SchemaSet set, const Subject& subject, Report& report) {
  for (const SentValue& sent : SentValuesOf(subject.answer)) {
    // Envelopes of errors are rules of their own.
    if (sent.schema.starts_with("error.") || !HasSchema(set, sent.schema)) continue;
    report.Look();
    const std::vector<SchemaError> errors = Validate(set, sent.schema, *sent.value);
    // The first is the innermost; the others say that what holds it does not fit either.
    if (!errors.empty()) {
      const SchemaError& error = errors.front();
      report.Add(subject.name(), sent.where + " " + error.pointer, Shown(*sent.value),
                 sent.schema + ": " + error.words);
    }
  }
}

void CheckCore(const Subject& subject, Report& report) {
  CheckSchema(SchemaSet::kCore, subject, report);
}

void CheckStrict(const Subject& subject, Report& report) {
  CheckSchema(SchemaSet::kStrict, subject, report);
}

constexpr Rule kRules[] = {
    {"schema.core", Layer::kCore, kAll, "", "what every client needs is there", CheckCore},
    {"schema.strict", Layer::kStrict, kAll, "", "the public types of the pinned release fit",
     CheckStrict},
};

}  // namespace

std::span<const Rule> SchemaRules() { return kRules; }

}  // namespace parity::wire
