#include "suites/kv/phases.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "gtest_parity/manifest/resolve.h"
#include "suites/kv/counted.h"

namespace parity::kv {
namespace {

using nlohmann::json;

std::string ReadAll(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<float> ReadLogits(const std::string& path) {
  const std::string bytes = ReadAll(path);
  if (bytes.size() % sizeof(float) != 0) {
    throw std::runtime_error("logits of " + std::to_string(bytes.size()) + " bytes: no whole f32");
  }
  std::vector<float> logits(bytes.size() / sizeof(float));
  std::memcpy(logits.data(), bytes.data(), bytes.size());
  return logits;
}

json AnswersOf(const std::vector<Answer>& answers) {
  json all = json::array();
  for (const Answer& answer : answers) all.push_back(answer.whole);
  return all;
}

bool IsChosen(const Record& record, const json& choose) {
  for (const auto& [name, value] : choose.items()) {
    const Field* field = record.FindField(name);
    if (field == nullptr || field->value != value) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Server> Phases::Start(const Phase& phase, bool reference,
                                      const std::string& folder) {
  ServerStart start;
  start.reference = reference;
  start.config = phase.config;
  start.folder = folder;
  start.ranks = phase.ranks.value_or(ranks_);
  if (!phase.variant.empty()) variants_.Apply(phase.variant, &start);
  return servers_.Start(start);
}

void Phases::Know(const Server& server) {
  provenance_ = server.provenance();
  objects_ = server.MappedObjects();
  tail_ = server.OutputTail();
}

void Phases::Forget() {
  provenance_.clear();
  objects_.clear();
}

Saved Phases::Save(const Lane& lane, bool reference) {
  Saved saved;
  saved.folder = std::make_unique<TemporaryFolder>("parity_kv");
  const auto server = Start(lane.save, reference, saved.folder->path());
  for (const json& request : lane.save.requests) {
    const json known = {{"save", AnswersOf(saved.answers)}};
    saved.answers.push_back(ParseAnswer(server->Ask(Resolve(request, known))));
  }
  server->Stop();
  Know(*server);
  saved.files = StateOf(saved.folder->path());
  for (const auto& [name, file] : saved.files) {
    RecordFile read = ReadRecordFile(format_, saved.folder->Path(name));
    if (read.bytes == nullptr || !IsChosen(read.record, lane.records.choose)) continue;
    const bool is_record = read.record.Refusal() == nullptr || !lane.records.choose.empty();
    if (!is_record) continue;
    saved.fit.push_back(name);
    saved.record = std::move(read);
  }
  return saved;
}

Loaded Phases::Load(const Lane& lane, bool reference, const Saved& saved, const Given& given) {
  const TemporaryFolder folder("parity_kv");
  const std::string record = given.place(folder.path());
  std::vector<json> requests = given.first;
  for (const json& request : lane.load.requests) {
    requests.push_back(Resolve(request, {{"save", AnswersOf(saved.answers)}}));
  }
  std::function<void()> meddle;
  if (given.meddle) meddle = [&] { given.meddle(record); };
  Loaded loaded = Take(lane, reference, requests, folder.path(), meddle);
  if (given.keeps_bytes) loaded.record_after = ReadAll(record);
  return loaded;
}

Loaded Phases::Cold(const Lane& lane, bool reference, const Saved& saved) {
  const TemporaryFolder folder("parity_kv");
  const json known = {{"save", AnswersOf(saved.answers)}};
  const json& request = lane.load.cold.value_or(lane.load.requests.back());
  return Take(lane, reference, {Resolve(request, known)}, folder.path(), {});
}

Loaded Phases::Take(const Lane& lane, bool reference, const std::vector<json>& requests,
                    const std::string& folder, const std::function<void()>& before_last) {
  Loaded loaded;
  const TemporaryFolder outside("parity_kv_logits");
  const std::string logits = outside.Path("logits.f32");
  loaded.before = StateOf(folder);
  const auto server = Start(lane.load, reference, folder);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const bool last = i + 1 == requests.size();
    json request = requests[i];
    if (last && before_last) {
      before_last();
      loaded.before = StateOf(folder);
    }
    if (last) request["logits"] = logits;
    if (last) loaded.counters_before = server->Counters();
    loaded.answer = ParseAnswer(server->Ask(request));
    loaded.hits += loaded.answer.hits;
    loaded.hits_told &= loaded.answer.Tells("hits");
    for (const std::string& event : loaded.answer.events) loaded.events.push_back(event);
    if (last) loaded.counters_after = server->Counters();
  }
  TakeFromCounters(loaded.counters_before, loaded.counters_after, loaded.answer);
  // Since the process started nothing was counted but these requests.
  if (!loaded.hits_told) {
    if (const auto hits = Moved({}, loaded.counters_after, "hits")) {
      loaded.hits = *hits;
      loaded.hits_told = true;
    }
  }
  // What it stores at its end is no concern of this phase: it is ended, not stopped.
  Know(*server);
  loaded.after = StateOf(folder);
  loaded.generated = {loaded.answer.ids, {}};
  if (loaded.answer.ShowsLogits()) loaded.generated.logits = ReadLogits(logits);
  return loaded;
}

}  // namespace parity::kv
