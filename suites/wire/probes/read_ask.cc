#include "suites/wire/probes/read_ask.h"

#include <utility>

namespace parity::wire {
namespace {

using nlohmann::json;

const ManifestSection kFormKeys = {"form",
                                   {{"split"},
                                    {"chunk_bytes"},
                                    {"chunk_extension"},
                                    {"trailer"},
                                    {"malformed_chunk"},
                                    {"also_length"},
                                    {"length"},
                                    {"upper_case_names"},
                                    {"bare_line_feeds"},
                                    {"expect_continue"},
                                    {"header_bytes"},
                                    {"query"},
                                    {"times"},
                                    {"pipelined"},
                                    {"every_ms"},
                                    {"receive_buffer"}}};

constexpr char kSteps[] =
    "end, close, reset, half_close, or one of {bytes: n}, {events: n}, {answers: n}, {pause: ms}, "
    "{slowly: {bytes: n, every_ms: ms}}, {tell: name}, {hear: name}, {hear: name, times: n}, "
    "{call: name}";

const std::map<std::string, Step::Kind> kWords = {{"end", Step::Kind::kAwaitEnd},
                                                  {"close", Step::Kind::kClose},
                                                  {"reset", Step::Kind::kReset},
                                                  {"half_close", Step::Kind::kHalfClose}};
const std::map<std::string, Step::Kind> kCounts = {{"bytes", Step::Kind::kAwaitBytes},
                                                   {"events", Step::Kind::kAwaitEvents},
                                                   {"answers", Step::Kind::kAwaitAnswers}};
const std::map<std::string, Step::Kind> kNames = {
    {"tell", Step::Kind::kTell}, {"hear", Step::Kind::kHear}, {"call", Step::Kind::kCall}};

// False where `value` is no step.
bool ReadStep(const json& value, Step* step) {
  if (value.is_string()) {
    const auto word = kWords.find(value.get<std::string>());
    if (word == kWords.end()) return false;
    step->kind = word->second;
    return true;
  }
  if (!value.is_object() || value.empty()) return false;
  for (const auto& [name, kind] : kNames) {
    if (!value.contains(name) || !value[name].is_string()) continue;
    step->kind = kind;
    step->text = value[name].get<std::string>();
    const bool times = value.contains("times") && value["times"].is_number_unsigned();
    if (times) step->count = value["times"].get<std::uint64_t>();
    return value.size() == (times ? 2u : 1u) && (!times || kind == Step::Kind::kHear);
  }
  if (value.size() != 1) return false;
  const std::string name = value.begin().key();
  const json& of = value.begin().value();
  if (const auto count = kCounts.find(name); count != kCounts.end()) {
    if (!of.is_number_unsigned()) return false;
    step->kind = count->second;
    step->count = of.get<std::uint64_t>();
    return true;
  }
  if (name == "pause" && of.is_number_unsigned()) {
    step->kind = Step::Kind::kPause;
    step->milliseconds = of.get<std::uint64_t>();
    return true;
  }
  if (name != "slowly" || !of.is_object() || of.size() != 2 || !of.contains("bytes") ||
      !of.contains("every_ms") || !of["bytes"].is_number_unsigned() || of["bytes"] == 0 ||
      !of["every_ms"].is_number_unsigned()) {
    return false;
  }
  step->kind = Step::Kind::kReadSlowly;
  step->count = of["bytes"].get<std::uint64_t>();
  step->milliseconds = of["every_ms"].get<std::uint64_t>();
  return true;
}

void ReadSteps(const YamlSection& section, const std::string& key, ProbeYaml& yaml,
               std::vector<Step>* steps) {
  const json list = yaml.Json(section, key);
  if (list.is_null()) return;
  for (const json& one : list.is_array() ? list : json::array({list})) {
    Step step;
    if (!ReadStep(one, &step)) {
      yaml.file.AddAt(section.at(), section.PathOf(key), one.dump(), kSteps);
    }
    steps->push_back(std::move(step));
  }
}

void ReadForm(const YAML::Node& node, const std::string& path, ProbeYaml& yaml, Ask* ask) {
  const YamlSection section(node, path, kFormKeys, &yaml.file);
  if (!node.IsMap()) return;
  RequestForm& form = ask->form;
  section.Read("split", std::uint64_t{1}, &ask->split);
  section.Read("every_ms", std::uint64_t{1}, &ask->every_ms);
  section.Read("chunk_bytes", std::uint64_t{1}, &form.chunk_bytes);
  section.Read("chunk_extension", &form.chunk_extension);
  section.Read("trailer", &form.trailer);
  section.Read("malformed_chunk", &form.malformed_chunk);
  yaml.Flag(section, "also_length", &form.also_length);
  if (section.Find("length")) section.Read("length", std::uint64_t{0}, &form.length.emplace());
  yaml.Flag(section, "upper_case_names", &form.upper_case_names);
  yaml.Flag(section, "bare_line_feeds", &form.bare_line_feeds);
  yaml.Flag(section, "expect_continue", &form.expect_continue);
  section.Read("header_bytes", std::uint64_t{1}, &form.header_bytes);
  section.Read("query", &form.query);
  section.Read("times", std::uint64_t{1}, &ask->times);
  yaml.Flag(section, "pipelined", &ask->pipelined);
  section.Read("receive_buffer", std::uint64_t{1}, &ask->receive_buffer);
}

void ReadBodies(const YamlSection& section, const json& defaults, ProbeYaml& yaml, Ask* ask) {
  json question = yaml.Json(section, "ask");
  if (question.is_object()) {
    json merged = defaults;
    merged.update(question);
    if (merged.contains("turns")) merged.erase("prompt");
    if (merged.contains("prompt")) {
      merged["prompt"] = yaml.Pieces(merged["prompt"], section, "ask");
    }
    ask->ask = merged;
  } else if (!question.is_null()) {
    yaml.file.AddAt(section.at(), section.PathOf("ask"), question.dump(), "a mapping");
  }
  yaml.Map(section, "body", &ask->body);
  json of = json::object();
  yaml.Map(section, "body_of", &of);
  for (const auto& [name, body] : of.items()) {
    Surface surface = Surface::kOther;
    if (!ParseName(name, &surface)) {
      yaml.file.AddAt(section.at(), section.PathOf("body_of"), Quoted(name),
                      ExpectedName(name, SurfaceNames()));
    }
    ask->body_of[surface] = body;
  }
  yaml.Map(section, "set", &ask->set);
  const json raw = yaml.Json(section, "raw");
  if (!raw.is_null()) ask->raw = yaml.Pieces(raw, section, "raw");
}

void ReadLinks(const YamlSection& section, ProbeYaml& yaml, Ask* ask) {
  for (const auto& [key, out] : {std::pair{"probe", &ask->probe},
                                 {"same_as", &ask->same_as},
                                 {"same_prompt_as", &ask->same_prompt_as},
                                 {"cut_of", &ask->cut_of},
                                 {"warm_of", &ask->warm_of},
                                 {"marker", &ask->marker},
                                 {"method", &ask->method},
                                 {"path", &ask->path}}) {
    section.Read(key, out);
  }
  yaml.Flag(section, "follows", &ask->follows);
  section.Read("copies", std::uint64_t{1}, &ask->copies);
}

}  // namespace

std::vector<ManifestKey> AskKeys() {
  return {{"ask"},     {"body"},           {"body_of"}, {"raw"},     {"method"}, {"path"},
          {"headers"}, {"form"},           {"first"},   {"then"},    {"probe"},  {"same_as"},
          {"cut_of"},  {"same_prompt_as"}, {"warm_of"}, {"follows"}, {"marker"}, {"copies"},
          {"set"}};
}

void ReadAsk(const YamlSection& section, const json& defaults, ProbeYaml& yaml, Ask* ask) {
  ReadBodies(section, defaults, yaml, ask);
  ReadLinks(section, yaml, ask);
  ReadSteps(section, "first", yaml, &ask->first);
  ReadSteps(section, "then", yaml, &ask->then);
  json headers = json::object();
  yaml.Map(section, "headers", &headers);
  for (const auto& [name, value] : headers.items()) {
    ask->headers.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (const auto form = section.Find("form")) {
    ReadForm(*form, section.PathOf("form"), yaml, ask);
  }
}

void ReadFurther(const YAML::Node& node, const std::string& path, const json& defaults,
                 ProbeYaml& yaml, std::vector<Ask>* asks) {
  static const ManifestSection kKeys = [] {
    ManifestSection section = {"connection", AskKeys()};
    section.keys.insert(section.keys.end(), {{"name", true}, {"surface"}, {"streamed"}});
    return section;
  }();
  yaml.Each(node, path, [&](const YAML::Node& one, const std::string& at) {
    const YamlSection section(one, at, kKeys, &yaml.file);
    Ask& ask = asks->emplace_back();
    if (!one.IsMap()) return;
    section.Read("name", &ask.name);
    if (section.Find("surface")) {
      std::size_t surface = 0;
      section.ReadChoice("surface", SurfaceNames(), &surface);
      ask.surface = static_cast<Surface>(surface);
    }
    if (section.Find("streamed")) yaml.Flag(section, "streamed", &ask.streamed.emplace());
    ReadAsk(section, defaults, yaml, &ask);
  });
}

}  // namespace parity::wire
