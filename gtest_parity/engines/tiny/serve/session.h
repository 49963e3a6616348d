// What lies in one slot of the caches.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity::tiny {

struct Session {
  std::uint32_t slot = 0;
  std::vector<std::int32_t> tokens;
  std::string text;
  std::vector<float> logits;  // of the last token; empty: not known
  std::int32_t next = -1;     // what the engine chose there
  std::int32_t stored = 0;    // the last frontier that is on disk
  bool pinned = false;        // never made room of
  bool in_use = false;        // by an answer under way: nobody else's
  std::uint64_t used = 0;     // when, counted in requests

  bool IsFree() const { return tokens.empty(); }
  std::int32_t Length() const { return static_cast<std::int32_t>(tokens.size()); }
  void Clear() {
    const std::uint32_t kept = slot;
    *this = Session();
    slot = kept;
  }
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SESSION_H_
