// A way in which requests share an engine: which session serves one, and when it is stored.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_LANE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_LANE_H_

#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/pieces.h"
#include "gtest_parity/engines/tiny/serve/session.h"

namespace parity::tiny {

// A session that holds the beginning of a prompt, and the rest of that.
struct Admission {
  Session* session = nullptr;
  std::vector<Piece> rest;
  std::string restored_key;  // empty: nothing was there
  bool from_disk = false;
  bool missed = false;  // it was looked for on disk, in vain
};

class Lane {
 public:
  virtual ~Lane() = default;
  virtual Admission Admit(const std::string& prompt, bool pin) = 0;
  // The record of that key into a session, which then holds it whole, or nothing.
  virtual Admission AdmitRecord(const std::string& key, const std::string& prompt) = 0;
  // Computes what is left of the prompt.
  virtual void Fill(const Admission& admission) = 0;
  // Before a token is chosen.
  virtual void AtFrontier(Session& session) = 0;
  // The request has been served.
  virtual void Settle(Session& session) = 0;
  // Stores what is live, and ends it.
  virtual void Stop() = 0;
  // Ends what is live.
  virtual void Forget() = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_LANE_H_
