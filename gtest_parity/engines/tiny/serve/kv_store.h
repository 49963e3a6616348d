// A folder of KV records. Each engine has its own implementation of the format.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_KV_STORE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_KV_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/kv_policy.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// No function throws for what a file is or how a disk fails: that is an event, and nothing found.
class KvStore {
 public:
  virtual ~KvStore() = default;
  // Whether the record is there now: stored, or its trailer refreshed. `incoming` is the prompt
  // that is to be served next, empty: none.
  virtual bool Store(const KvSnapshot& snapshot, StoreReason reason, std::uint8_t ext,
                     const std::vector<ToolBlock>& blocks, const std::string& incoming) = 0;
  // The record with the longest text that `prompt` begins with, and its key; empty: none.
  virtual std::string Restore(const std::string& prompt, KvTier tier, KvSnapshot& out) = 0;
  // The record of that key or none.
  virtual std::string RestoreKey(const std::string& key, const std::string& prompt, KvTier tier,
                                 KvSnapshot& out) = 0;
  // How much of a record's text, and of which, `prompt` begins with; an empty key: too little.
  virtual std::string Overlapping(const std::string& prompt, std::uint64_t& lcp) = 0;
  // A record whole, for a prompt that has `lcp` bytes of its text.
  virtual bool RestoreOverlap(const std::string& key, const std::string& prompt, std::uint64_t lcp,
                              KvSnapshot& out) = 0;
  // Of the trailers of all records.
  virtual std::vector<ToolBlock> ToolBlocks() = 0;
};

// What a store is made with. `events` and what it refers to outlive the store.
struct KvStoreArgs {
  const KvKnobs& knobs;
  KvShape shape;
  std::string model;  // directory
  std::vector<KvEvent>& events;
};

// What an engine that serves brings.
struct KvImplementation {
  std::unique_ptr<KvPolicy> (*policy)();
  std::unique_ptr<KvStore> (*store)(const KvStoreArgs& args);
  CacheRow row;  // where its caches have a token's head
  // A state without a store, as a file: the payload that its records have, without logits. Both
  // return why not, by an id of docs/serving.md; empty: done. A file that is not whole does not
  // take the place of another.
  std::string (*save)(const std::string& path, const KvShape& shape, const KvSnapshot& snapshot);
  std::string (*load)(const std::string& path, const KvShape& shape, KvSnapshot& out);
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_KV_STORE_H_
