#include "suites/wire/metrics/exposition.h"

#include <cctype>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

namespace parity::wire {
namespace {

std::string_view TakeName(std::string_view* text) {
  std::size_t end = 0;
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  };
  while (end < text->size() && fits((*text)[end])) ++end;
  const std::string_view name = text->substr(0, end);
  text->remove_prefix(end);
  return name;
}

// A quoted value with its three escapes; nothing where it does not end.
std::optional<std::string> TakeQuoted(std::string_view* text) {
  if (!text->starts_with('"')) return std::nullopt;
  std::string value;
  for (std::size_t i = 1; i < text->size(); ++i) {
    const char c = (*text)[i];
    if (c == '"') {
      text->remove_prefix(i + 1);
      return value;
    }
    if (c == '\\' && i + 1 < text->size()) {
      const char next = (*text)[++i];
      value += next == 'n' ? '\n' : next;
    } else {
      value += c;
    }
  }
  return std::nullopt;
}

bool TakeLabels(std::string_view* text, std::map<std::string, std::string>* labels) {
  text->remove_prefix(1);
  while (!text->starts_with('}')) {
    const std::string name(TakeName(text));
    if (name.empty() || !text->starts_with('=')) return false;
    text->remove_prefix(1);
    const auto value = TakeQuoted(text);
    if (!value || !labels->emplace(name, *value).second) return false;
    if (text->starts_with(',')) text->remove_prefix(1);
  }
  text->remove_prefix(1);
  return true;
}

std::optional<double> NumberOf(std::string text) {
  if (text == "+Inf" || text == "Inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

std::string_view WithoutSuffix(std::string_view name, std::string_view suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

class Parser {
 public:
  Exposition Parse(std::string_view text) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.empty()) continue;
      line[0] == '#' ? TakeComment(line) : TakeSample(line);
    }
    CheckBuckets();
    return std::move(out_);
  }

 private:
  void Problem(const std::string& words) {
    out_.problems.push_back("line " + std::to_string(line_) + ": " + words);
  }

  void TakeComment(const std::string& line) {
    std::istringstream words(line);
    std::string hash, kind, name, type;
    words >> hash >> kind >> name >> type;
    if (kind != "TYPE" && kind != "HELP") return;
    if (!told_.insert(kind + " " + name).second) Problem("a second " + kind + " of " + name);
    if (kind != "TYPE") return;
    out_.types[name] = type;
    if (sampled_.contains(name)) Problem("TYPE of " + name + " after its samples");
  }

  void TakeSample(const std::string& line) {
    const auto sample = ParseSample(line);
    if (!sample) return Problem("no sample: " + line.substr(0, 60));
    if (!series_.insert(SeriesOf(*sample)).second) Problem(SeriesOf(*sample) + " twice");
    sampled_.insert(sample->name);
    for (const char* suffix : {"_bucket", "_sum", "_count"}) {
      sampled_.insert(std::string(WithoutSuffix(sample->name, suffix)));
    }
    if (out_.TypeOf(*sample).empty()) Problem("no TYPE before " + sample->name);
    out_.samples.push_back(*sample);
  }

  // Buckets of one histogram count what the ones before them count too.
  void CheckBuckets() {
    std::map<std::string, double> last;
    for (Sample sample : out_.samples) {
      if (!sample.name.ends_with("_bucket") || out_.TypeOf(sample) != "histogram") continue;
      const std::string bound = sample.labels["le"];
      sample.labels.erase("le");
      sample.name = WithoutSuffix(sample.name, "_bucket");
      const auto [known, fresh] = last.try_emplace(SeriesOf(sample), sample.value);
      if (known->second > sample.value) Problem(SeriesOf(sample) + ": bucket " + bound + " falls");
      known->second = sample.value;
    }
    for (Sample sample : out_.samples) {
      if (!sample.name.ends_with("_count") || out_.TypeOf(sample) != "histogram") continue;
      sample.name = WithoutSuffix(sample.name, "_count");
      const auto bucket = last.find(SeriesOf(sample));
      if (bucket == last.end() || bucket->second != sample.value) {
        Problem(SeriesOf(sample) + ": its last bucket is not its count");
      }
    }
  }

  Exposition out_;
  std::size_t line_ = 0;
  std::set<std::string> told_, series_, sampled_;
};

}  // namespace

std::string Exposition::TypeOf(const Sample& sample) const {
  if (const auto found = types.find(sample.name); found != types.end()) return found->second;
  for (const char* suffix : {"_bucket", "_sum", "_count"}) {
    const auto found = types.find(std::string(WithoutSuffix(sample.name, suffix)));
    if (found != types.end()) return found->second;
  }
  return "";
}

std::optional<double> Exposition::Sum(std::string_view series) const {
  const auto wanted = ParseSample(std::string(series) + " 0");
  if (!wanted) return std::nullopt;
  std::optional<double> sum;
  for (const Sample& sample : samples) {
    bool fits = sample.name == wanted->name;
    for (const auto& [name, value] : wanted->labels) {
      const auto found = sample.labels.find(name);
      fits = fits && found != sample.labels.end() && found->second == value;
    }
    if (fits) sum = sum.value_or(0) + sample.value;
  }
  return sum;
}

Exposition ParseExposition(std::string_view text) { return Parser().Parse(text); }

std::optional<Sample> ParseSample(std::string_view line) {
  Sample sample;
  sample.name = TakeName(&line);
  if (sample.name.empty()) return std::nullopt;
  if (line.starts_with('{') && !TakeLabels(&line, &sample.labels)) return std::nullopt;
  std::istringstream words{std::string(line)};
  std::string value, time, more;
  words >> value >> time >> more;
  const auto number = NumberOf(value);
  if (!number || !more.empty() || (!time.empty() && !NumberOf(time))) return std::nullopt;
  sample.value = *number;
  return sample;
}

std::string SeriesOf(const Sample& sample) {
  std::string text = sample.name;
  for (const auto& [name, value] : sample.labels) {
    text += (text.size() == sample.name.size() ? "{" : ",") + name + "=\"" + value + "\"";
  }
  return sample.labels.empty() ? text : text + "}";
}

}  // namespace parity::wire
