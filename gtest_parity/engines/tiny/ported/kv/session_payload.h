// A session's state as a record's payload.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_SESSION_PAYLOAD_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_SESSION_PAYLOAD_H_

#include <cstdint>
#include <iosfwd>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::ported {

class SessionPayload {
 public:
  explicit SessionPayload(const KvShape& shape) : shape_(shape) {}

  std::uint64_t Size(std::uint64_t tokens, bool with_logits) const;
  void Write(const KvSnapshot& snapshot, std::ostream& out) const;
  // From where `in` stands; `size` is what the envelope says. Fills all but the text. Throws
  // Refusal, and reads no more than the sizes in front agree on.
  void Read(std::istream& in, std::uint64_t size, bool with_logits, KvSnapshot& snapshot) const;

 private:
  KvShape shape_;
};

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_SESSION_PAYLOAD_H_
