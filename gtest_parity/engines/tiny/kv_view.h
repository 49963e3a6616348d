// A KV cache as [kv_tokens, G, E]: the staged sequences' tokens end to end, wherever they lie.
#ifndef GTEST_PARITY_ENGINES_TINY_KV_VIEW_H_
#define GTEST_PARITY_ENGINES_TINY_KV_VIEW_H_

#include <cstdint>
#include <vector>

#include "gtest_parity/engines/tiny/backend.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// What mutants do to views.
enum class ViewLie {
  kNone,
  kImportReversed,  // import takes tokens from last to first
  kExportShort,     // export leaves out the last token
  kExportMoves,     // export changes a bit of the cache
  kBackwards,       // both take the elements from last to first: they undo one another
};

class KvView {
 public:
  // Of a cache with `heads` KV heads of this rank, whose last axis is head_dim.
  KvView(Operand cache, std::uint64_t heads, CacheRow row,
         const std::vector<StagedSequence>& sequences, ViewLie lie, Backend& backend);

  std::uint64_t Bytes() const { return tokens_ * TokenBytes(); }
  void Export(void* canonical) const;
  void Import(const void* canonical) const;

 private:
  std::uint64_t RowBytes() const { return cache_.dims.back() * BytesOf(cache_.dtype); }
  std::uint64_t TokenBytes() const { return heads_ * RowBytes(); }
  template <typename Copy>
  void ForEachRow(Copy copy) const;

  Operand cache_;
  std::uint64_t heads_;
  CacheRow row_;
  const std::vector<StagedSequence>& sequences_;
  ViewLie lie_;
  Backend& backend_;
  std::uint64_t tokens_ = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_KV_VIEW_H_
