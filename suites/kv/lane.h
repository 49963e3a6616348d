// A lane of the KV matrix: how a state is saved, how it is taken up again, and what must be true.
#ifndef GTEST_PARITY_SUITES_KV_LANE_H_
#define GTEST_PARITY_SUITES_KV_LANE_H_

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/kv/cell_key.h"

namespace parity::kv {

// What a process is started with and asked. Strings of requests may hold ${/save/0/text}: the value
// at that JSON pointer in {"save": [the saver's answers]}; a string that is nothing else becomes
// the value itself.
struct Phase {
  nlohmann::json config = nlohmann::json::object();  // merged over the side's (RFC 7396)
  std::vector<nlohmann::json> requests;              // of docs/serving.md
  std::optional<std::uint32_t> ranks;                // instead of the manifest's
  std::string variant;  // of the manifest's, that the side is started as; empty: none
  // Of a load: what asks the same of a process that has no record, where the last request does not.
  std::optional<nlohmann::json> cold;
};

// What a saver leaves in an empty folder.
struct ExpectedRecords {
  std::uint64_t count = 1;
  nlohmann::json choose = nlohmann::json::object();  // fields that single out the one to be loaded
  nlohmann::json fields = nlohmann::json::object();  // of that one, by the format's names
  // Fields and sections, with all that is below them, in which the candidate's record is another
  // than the reference's, as the lane has the sides save otherwise.
  std::vector<std::string> differs;
};

// What the loader makes of the last of its requests. What a lane does not say is what the reference
// comes to with its own record.
struct ExpectedAnswer {
  bool miss = false;                // nothing may be taken up: cached is 0
  bool refused = false;             // the record must be declined, by the format's own checks
  std::vector<CellKey> refused_in;  // in these cells alone; none named: in all
  std::string why;                  // for this reason alone, by the store's own ids; empty: any
  std::string words;                // that the refusal has; empty: any
  // Nobody can tell that the record is another's: it is taken up, and what follows is not what
  // follows without it. Told, and held to be the same on both sides.
  bool shared_risk = false;
  // Where the judged answer's beginning comes from: the record, or what an answer before it took
  // from there.
  bool from_memory = false;
  std::optional<std::uint64_t> prompt, cached, computed, output;
  std::string finish;
  nlohmann::json route;

  bool IsRefusedIn(const CellKey& key) const {
    return refused && (refused_in.empty() ||
                       std::find(refused_in.begin(), refused_in.end(), key) != refused_in.end());
  }
};

enum class RecordAfter {
  kTouched,    // hits and the time of last use move, nothing else
  kUntouched,  // not a byte
  kConsumed,   // gone
};

struct Lane {
  std::string name;
  Position at;
  Phase save, load;
  ExpectedRecords records;
  ExpectedAnswer answer;
  RecordAfter after = RecordAfter::kTouched;
  std::uint64_t stores = 0;  // files that the loader adds
  // Groups of ways (damage.h) in which its record is damaged too; none: it is not.
  std::vector<std::string> damaged;
  // Of a damaged lane: what makes a loader look through its folder, so that the record can be
  // changed behind its index.
  std::optional<nlohmann::json> index;
};

// A difference from the rules that the reference shows too: a lane's check may fail this way alone.
struct LaneException {
  std::string id, lane, check, signature, reason;
  std::string until;  // YYYY-MM-DD, the last day it counts
  Position at;
};

// What stores must stand besides.
struct Oracles {
  std::string lane;    // whose saver makes one record
  std::string budget;  // JSON pointer to the bytes of all records in a side's configuration
  std::uint64_t spare_percent = 0;  // of a record, that must fit besides
  // The configuration of a process whose record the lane's saver replaces.
  nlohmann::json in_the_way = nlohmann::json::object();
  // Of two processes in one folder, and what both are asked.
  nlohmann::json shared = nlohmann::json::object();
  std::vector<nlohmann::json> requests;
};

struct Lanes {
  std::string format;  // of the records: kvc, llama_state, or a YAML description's path
  std::vector<Lane> lanes;
  std::vector<LaneException> exceptions;
  std::optional<Oracles> oracles;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_LANE_H_
