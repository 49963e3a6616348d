// What a store must stand, whoever loads from it: its budget to the byte, a writer that is killed,
// and two processes in one folder.
#ifndef GTEST_PARITY_SUITES_KV_ORACLES_H_
#define GTEST_PARITY_SUITES_KV_ORACLES_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "suites/kv/lane.h"
#include "suites/kv/phases.h"

namespace parity::kv {

// Each is one case.
inline constexpr std::array<std::string_view, 6> kOracles = {
    "budget_below", "budget_at", "budget_above", "killed_writer", "two_processes", "two_engines"};

// What came of one oracle on one side.
struct OracleOutcome {
  std::string facts;                  // what must be the same of both sides
  std::vector<std::string> findings;  // what must not be
  std::string blocked;                // why it could not be asked; empty: it was
  std::string left_behind;            // names of files that are no records
  std::uint64_t checked = 0;

  void Expect(bool holds, const std::string& words);
};

// By oracle.
using OracleOutcomes = std::map<std::string, OracleOutcome, std::less<>>;

class OracleRuns {
 public:
  // All arguments outlive this object. `lane`: whose saver makes the record.
  OracleRuns(const Oracles& oracles, const Lane& lane, const RecordFormat& format, Phases& phases)
      : oracles_(oracles), lane_(lane), format_(format), phases_(phases) {}

  // A side that dies where it must not is a finding. Throws NotOffered and SetupError.
  void Run(std::string_view oracle, bool reference);
  const OracleOutcomes& outcomes(bool reference) const {
    return reference ? reference_ : candidate_;
  }

 private:
  OracleOutcome Budget(bool reference, std::int64_t beyond);
  OracleOutcome KilledWriter(bool reference);
  OracleOutcome Together(bool first, bool second);
  // Asks the requests of a folder's server, with `more` merged over the phase's configuration.
  std::unique_ptr<Server> Saver(bool reference, const nlohmann::json& more,
                                const std::string& folder);
  void AskAll(Server& server);
  void ExpectWhole(const std::string& folder, const FolderState& but, OracleOutcome& outcome) const;

  const Oracles& oracles_;
  const Lane& lane_;
  const RecordFormat& format_;
  Phases& phases_;
  OracleOutcomes reference_, candidate_;
};

// The reference's findings are ERROR, the candidate's FAIL, as is what both make otherwise. What
// could not be asked of the reference is BLOCKED, of the candidate alone FAIL.
Verdict JudgeOracle(std::string_view oracle, const OracleOutcomes& reference,
                    const OracleOutcomes& candidate);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_ORACLES_H_
