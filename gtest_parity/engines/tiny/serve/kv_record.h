// What the serving loop and a KV store tell each other of records. Numbers are those of the format.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_KV_RECORD_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_KV_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parity::tiny {

// Why a record was stored.
enum class StoreReason : std::uint8_t {
  kUnknown = 0,
  kCold = 1,
  kContinued = 2,
  kEvict = 3,
  kShutdown = 4,
  kAgentSystem = 5,
  kAgentSession = 6,
  kBankEvict = 7,
  kBankShutdown = 8,
  kBankCheckpoint = 9,
};

enum ExtFlag : std::uint8_t {
  kExtToolMap = 1u << 0,
  kExtBankReplay = 1u << 4,
  kExtImage = 1u << 5,
  kExtIdentity = 1u << 6,
};

// Who looks for a record: the serial session or a bank.
enum class KvTier { kSerial, kBank };

// The sizes that a payload must have to be loaded here.
struct KvShape {
  std::uint32_t context = 0;    // most tokens of one session
  std::uint32_t chunk = 0;      // most rows of one prefill step
  std::uint32_t positions = 0;  // of the model
  std::uint32_t layers = 0, kv_heads = 0, head_dim = 0, vocabulary = 0;
  std::uint32_t element_bytes = 0;  // of a key's or a value's element

  std::uint64_t TokenBytes() const {  // keys and values of all layers
    return std::uint64_t{2} * layers * kv_heads * head_dim * element_bytes;
  }
};

// A session's state at its frontier, of all ranks.
struct KvSnapshot {
  std::string text;
  std::vector<std::int32_t> tokens;
  std::vector<float> logits;    // of the last token; empty: none
  std::vector<std::byte> rows;  // per layer the keys, then the values, [tokens, KV heads, head_dim]
};

// A tool call that was sampled: the exact bytes behind an id.
struct ToolBlock {
  std::string id, block;
};

// A record's header, and what the policy asks of its file.
struct KvRecord {
  std::string key;   // SHA-1 of the text, 40 lower-case hexadecimal digits
  std::string text;  // where it is known
  std::uint64_t text_bytes = 0, file_bytes = 0;
  std::uint64_t created = 0, last_used = 0;  // unix seconds
  std::uint32_t tokens = 0, hits = 0, context = 0;
  std::uint8_t reason = 0, ext = 0, model = 0, quant = 0;
};

// What happened to the store, as `serve` reports it.
struct KvEvent {
  std::string event;   // store, refresh, hit, evict, consume, discard, refuse
  std::string reason;  // the record's, in words
  std::uint64_t tokens = 0;
  std::string key;
  std::string why;  // of a refusal, its id
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_KV_RECORD_H_
