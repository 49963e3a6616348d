#include "gtest_parity/engines/tiny/serve/session_driver.h"

#include <algorithm>

namespace parity::tiny {
namespace {

void Advance(Session& session, std::span<const Piece> pieces, StepResult result) {
  for (const Piece& piece : pieces) {
    session.tokens.push_back(piece.id);
    session.text += piece.text;
  }
  session.next = result.next;
  session.logits = std::move(result.logits);
}

bool IsOfBank(StoreReason reason) {
  return reason == StoreReason::kBankEvict || reason == StoreReason::kBankShutdown ||
         reason == StoreReason::kBankCheckpoint;
}

}  // namespace

void SessionDriver::Prefill(Session& session, std::span<const Piece> pieces) const {
  std::vector<std::int32_t> ids;
  for (const Piece& piece : pieces) ids.push_back(piece.id);
  Advance(session, pieces,
          parts_.workers.Step("prefill", session.slot, session.tokens.size(), ids));
}

void SessionDriver::Decode(Session& session, std::int32_t id) const {
  const Piece piece{id, parts_.pieces.TextOf(id)};
  Advance(session, {&piece, 1},
          parts_.workers.Step("decode", session.slot, session.tokens.size(), {&id, 1}));
}

std::vector<Piece> SessionDriver::Rewind(Session& session, const std::string& prompt,
                                         std::size_t bytes) const {
  const std::vector<std::size_t> ends = parts_.pieces.EndsIn(session.text, session.tokens);
  auto kept =
      static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), bytes) - ends.begin());
  std::vector<Piece> rest;
  if (kept > 0 && ends[kept - 1] == prompt.size()) {  // its logits are to be computed again
    --kept;
    const std::size_t begin = kept == 0 ? 0 : ends[kept - 1];
    rest.push_back({session.tokens[kept], prompt.substr(begin)});
  } else {
    rest = parts_.pieces.Of(prompt, kept == 0 ? 0 : ends[kept - 1]);
  }
  session.tokens.resize(kept);
  session.text.resize(kept == 0 ? 0 : ends[kept - 1]);
  session.logits.clear();
  session.next = -1;
  session.stored = std::min(session.stored, session.Length());
  return rest;
}

KvSnapshot SessionDriver::Save(const Session& session) const {
  return {session.text, session.tokens, session.logits,
          parts_.workers.Export(session.slot, session.tokens.size())};
}

bool SessionDriver::Store(const Session& session, StoreReason reason,
                          const std::string& incoming) const {
  if (parts_.knobs.folder.empty() || session.Length() < parts_.knobs.min_tokens) return false;
  if (!IsOfBank(reason) && session.logits.empty()) return false;
  KvSnapshot snapshot = Save(session);
  std::uint8_t ext = Pieces::HasAttachment(session.text) ? kExtImage : 0;
  if (IsOfBank(reason)) {
    snapshot.logits.clear();
    ext |= kExtBankReplay;
  }
  return parts_.store.Store(snapshot, reason, ext, parts_.tools.blocks(), incoming);
}

void SessionDriver::Adopt(Session& session, const KvSnapshot& snapshot) const {
  parts_.workers.Import(session.slot, snapshot.tokens.size(), snapshot.rows);
  session.tokens = snapshot.tokens;
  session.text = snapshot.text;
  session.logits = snapshot.logits;
  const auto best = std::max_element(session.logits.begin(), session.logits.end());
  session.next =
      session.logits.empty() ? -1 : static_cast<std::int32_t>(best - session.logits.begin());
  session.stored = session.Length();
}

}  // namespace parity::tiny
