// What is done with a session: going on, going back, saving, restoring.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_DRIVER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_DRIVER_H_

#include <span>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/kv_knobs.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"
#include "gtest_parity/engines/tiny/serve/pieces.h"
#include "gtest_parity/engines/tiny/serve/session.h"
#include "gtest_parity/engines/tiny/serve/tool_map.h"
#include "gtest_parity/engines/tiny/serve/workers.h"

namespace parity::tiny {

class SessionDriver {
 public:
  struct Parts {
    Workers& workers;
    KvStore& store;
    const KvPolicy& policy;
    const KvKnobs& knobs;
    const Pieces& pieces;
    const ToolMap& tools;
  };
  explicit SessionDriver(const Parts& parts) : parts_(parts) {}

  // At most Workers::kChunk of them.
  void Prefill(Session& session, std::span<const Piece> pieces) const;
  void Decode(Session& session, std::int32_t id) const;
  // Back to the tokens whose text lies within the first `bytes` of `prompt`, and that leave some
  // of it to compute. Returns what there is to compute.
  std::vector<Piece> Rewind(Session& session, const std::string& prompt, std::size_t bytes) const;
  // A bank's record has no logits. `incoming` is the prompt that is served next, empty: none.
  bool Store(const Session& session, StoreReason reason, const std::string& incoming) const;
  KvSnapshot Save(const Session& session) const;
  void Adopt(Session& session, const KvSnapshot& snapshot) const;

  const KvKnobs& knobs() const { return parts_.knobs; }
  const KvPolicy& policy() const { return parts_.policy; }
  KvStore& store() const { return parts_.store; }
  const Pieces& pieces() const { return parts_.pieces; }

 private:
  Parts parts_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_DRIVER_H_
