#include "gtest_parity/replay/golden_log.h"

#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/recording_folder.h"

namespace parity {

template <typename Visit, Either<GoldenChange> S>
void Fields(Visit& visit, S& of) {
  auto& [date, tool, reason, before, after] = of;
  visit("date", date);
  visit("tool", tool);
  visit("reason", reason);
  visit("before", before);
  visit("after", after);
}

std::string GoldenLogText(const std::vector<GoldenChange>& changes) {
  std::string text;
  for (const GoldenChange& change : changes) {
    text += ToJson(change).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

std::vector<GoldenChange> ParseGoldenLog(std::string_view text) {
  std::vector<GoldenChange> changes;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    At(std::string(kLogFile) + ": line " + std::to_string(number), [&] {
      const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!json.is_object()) throw RecordingRefused(": it is no JSON object");
      GoldenChange change;
      FromJson(json, change);
      if (change.reason.empty() || change.after.empty()) {
        throw RecordingRefused(": expected a reason, and what the golden became");
      }
      changes.push_back(std::move(change));
    });
  }
  return changes;
}

void CheckGoldenLog(const std::vector<GoldenChange>& changes, const std::string& content) {
  std::string at;
  for (const GoldenChange& change : changes) {
    if (change.before != at) {
      throw RecordingRefused(std::string(kLogFile) + ": the change of " + change.date + " begins",
                             "at '" + change.before + "'", "'" + at + "'");
    }
    at = change.after;
  }
  if (at == content) return;
  throw RecordingRefused(std::string(kLogFile) + ": its last change ends", "at '" + at + "'",
                         "'" + content +
                             "', which is what is there (`parity golden update` is the way to "
                             "change a golden)");
}

}  // namespace parity
