#include "suites/wire/campaign/session_record.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/transcript/read_transcript.h"
#include "suites/wire/transcript/write_transcript.h"

namespace parity::wire {
namespace {

using nlohmann::json;

template <typename Facts>
auto* At(Facts& facts, const std::string& place) {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const auto& fact) { return fact.place == place; });
  return found == facts.end() ? nullptr : &*found;
}

json JsonOf(const SessionRecord& record) {
  json facts = {{"deaths", json::array()},
                {"growth", json::array()},
                {"unsettled", record.unsettled},
                {"end", nullptr}};
  for (const DeathFact& death : record.deaths) {
    facts["deaths"].push_back(
        {{"place", death.place}, {"text", death.text}, {"server_gone", death.server_gone}});
  }
  for (const GrowthFact& growth : record.growth) {
    facts["growth"].push_back(
        {{"place", growth.place},
         {"descriptors", {growth.descriptors_before, growth.descriptors_after}},
         {"bytes", {growth.bytes_before, growth.bytes_after}}});
  }
  if (record.end) {
    facts["end"] = {
        {"text", record.end->text}, {"as_asked", record.end->as_asked}, {"left", record.end->left}};
  }
  return facts;
}

void ReadFacts(const json& facts, SessionRecord* record) {
  for (const json& death : facts.at("deaths")) {
    record->deaths.push_back({death.at("place"), death.at("text"), death.at("server_gone")});
  }
  for (const json& growth : facts.at("growth")) {
    const json &descriptors = growth.at("descriptors"), &bytes = growth.at("bytes");
    record->growth.push_back(
        {growth.at("place"), descriptors.at(0), descriptors.at(1), bytes.at(0), bytes.at(1)});
  }
  facts.at("unsettled").get_to(record->unsettled);
  const json& end = facts.at("end");
  if (!end.is_null()) record->end = EndFact{end.at("text"), end.at("as_asked"), end.at("left")};
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << text) || !file.flush()) {
    throw InvalidInput({{path, {}, "cannot be written", "", "room for a transcript"}});
  }
}

}  // namespace

const DeathFact* SessionRecord::DeathAt(const std::string& place) const {
  return At(deaths, place);
}

const GrowthFact* SessionRecord::GrowthAt(const std::string& place) const {
  return At(growth, place);
}

bool SessionRecord::IsUnsettled(const std::string& place) const {
  return std::find(unsettled.begin(), unsettled.end(), place) != unsettled.end();
}

bool SessionRecord::IsOfOneServer() const {
  return std::none_of(deaths.begin(), deaths.end(),
                      [](const DeathFact& death) { return death.server_gone; });
}

void WriteSession(const std::string& folder, const SessionRecord& record) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/" + record.name;
  WriteFile(path + ".jsonl", TextOf(record.transcript));
  WriteFile(path + ".json", JsonOf(record).dump(1) + "\n");
}

SessionRecord ReadSession(const std::string& folder, const std::string& name) {
  SessionRecord record;
  record.name = name;
  const std::string path = folder + "/" + name;
  record.transcript = ReadTranscript(path + ".jsonl");
  std::ifstream file(path + ".json", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw InvalidInput({{path + ".json", {}, "cannot be read", "", "facts of a session"}});
  try {
    ReadFacts(json::parse(text), &record);
  } catch (const json::exception& error) {
    throw InvalidInput({{path + ".json",
                         {},
                         "no facts of a session",
                         error.what(),
                         "what a run of this suite wrote"}});
  }
  return record;
}

}  // namespace parity::wire
