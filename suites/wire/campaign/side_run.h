// All sessions of one side, one server after another.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SIDE_RUN_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SIDE_RUN_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/session/session.h"
#include "suites/wire/campaign/session_record.h"
#include "suites/wire/campaign/sessions.h"

namespace parity::wire {

struct SideResult {
  std::vector<SessionRecord> sessions;
  std::vector<std::string> objects;  // that its servers had mapped
  std::string provenance, output;    // of the last one
  std::string unready;               // why a server never was; empty: all were

  const SessionRecord* Find(const std::string& session) const;
};

// Throws InvalidInput where a lane configures a side whose command takes no configuration.
void ExpectConfigurable(const Manifest& manifest, const Probes& probes);

// `folder`: where transcripts go, as each session ends; empty: nowhere. A server that cannot be
// started is told at each place of its session. Throws SetupError.
SideResult RunSide(const Manifest& manifest, const SessionOptions& options, const Probes& probes,
                   std::size_t side, const std::vector<PlannedSession>& sessions,
                   const std::string& folder);

// What such a folder has, instead. Throws InvalidInput where a place of a session is not in it.
SideResult ReadSide(const std::string& folder, const std::vector<PlannedSession>& sessions);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SIDE_RUN_H_
