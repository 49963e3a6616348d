// What one server said and did from its start to its end.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_RECORD_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_RECORD_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Why a place was not played to its end: the server died there, or what it speaks of was not
// answered.
struct DeathFact {
  std::string place, text;
  bool server_gone = false;  // another was started for the rest
};

// What the server held before and after a request that was repeated.
struct GrowthFact {
  std::string place;
  std::uint64_t descriptors_before = 0, descriptors_after = 0;
  std::uint64_t bytes_before = 0, bytes_after = 0;
};

struct EndFact {
  std::string text;               // "exit status 0"
  bool as_asked = false;          // by itself, in time, with status 0
  std::vector<std::string> left;  // what it had started and left running
};

struct SessionRecord {
  std::string name;  // "serial"; of servers of a probe's own "serial.shutdown"
  Transcript transcript;
  std::vector<DeathFact> deaths;
  std::vector<GrowthFact> growth;
  std::vector<std::string> unsettled;  // places after which it did not come to rest in time
  std::optional<EndFact> end;

  const DeathFact* DeathAt(const std::string& place) const;
  const GrowthFact* GrowthAt(const std::string& place) const;
  bool IsUnsettled(const std::string& place) const;
  // Whether all of it is of one server.
  bool IsOfOneServer() const;
};

// In `folder`: the transcript as NAME.jsonl, the rest as NAME.json. Throws InvalidInput, also where
// there is none.
void WriteSession(const std::string& folder, const SessionRecord& record);
SessionRecord ReadSession(const std::string& folder, const std::string& name);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_RECORD_H_
