#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/contiguous/numbers.h"
#include "gtest_parity/engines/tiny/contiguous/ops.h"

namespace parity::tiny::contiguous {
namespace {

// A cache [S, G, L, E]: the tokens of one slot and KV head lie end to end.
std::uint64_t Strip(const Operand& cache, std::uint64_t slot, std::uint64_t kv_head) {
  return (slot * cache.dims[1] + kv_head) * cache.dims[2] * cache.dims[3];
}

// scores [count], in place: exp(score - largest) / sum.
void Normalise(std::vector<float>& scores) {
  float largest = scores[0];
  for (const float score : scores) largest = std::max(largest, score);
  float total = 0;
  for (float& score : scores) total += score = std::exp(score - largest);
  for (float& score : scores) score /= total;
}

// One query head over `count` tokens; query, out: [E].
void Attend(const float* query, const Cells& keys, const Cells& values, std::uint64_t count,
            std::uint64_t head_dim, float* out) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> scores(count), row(head_dim);
  for (std::uint64_t token = 0; token < count; ++token) {
    keys.Read(token * head_dim, head_dim, row.data());
    scores[token] = Dot(query, row.data(), head_dim) * scale;
  }
  Normalise(scores);
  std::fill_n(out, head_dim, 0.0f);
  for (std::uint64_t token = 0; token < count; ++token) {
    values.Read(token * head_dim, head_dim, row.data());
    for (std::uint64_t i = 0; i < head_dim; ++i) out[i] += scores[token] * row[i];
  }
}

}  // namespace

parity_status Store(const OpArgs& args) {
  const Operand& qkv = args.reads[0];
  const auto* positions = args.reads[2].As<std::int32_t>();
  const auto* row_slot = args.reads[3].As<std::int32_t>();
  const std::uint64_t all_heads = qkv.dims[1], head_dim = qkv.dims[2];
  const std::uint64_t kv_heads = args.updates[0].dims[1];
  for (std::uint64_t row = 0; row < qkv.dims[0]; ++row) {
    const auto slot = static_cast<std::uint64_t>(row_slot[row]);
    const auto position = static_cast<std::uint64_t>(positions[row]);
    for (std::uint64_t which = 0; which < 2; ++which) {
      const Operand& cache = args.updates[which];
      for (std::uint64_t head = 0; head < kv_heads; ++head) {
        const std::uint64_t from = all_heads - (2 - which) * kv_heads + head;
        const std::vector<float> values =
            Cells(qkv).Read((row * all_heads + from) * head_dim, head_dim);
        Cells(cache, Strip(cache, slot, head)).Write(position * head_dim, head_dim, values.data());
      }
    }
  }
  return PARITY_OK;
}

parity_status Attention(const OpArgs& args) {
  const Operand &qkv = args.reads[0], &keys = args.reads[1], &values = args.reads[2];
  const auto* positions = args.reads[3].As<std::int32_t>();
  const auto* row_slot = args.reads[4].As<std::int32_t>();
  const Operand& attn = args.writes[0];
  const std::uint64_t heads = attn.dims[0], rows = attn.dims[1], head_dim = attn.dims[2];
  const std::uint64_t group = heads / keys.dims[1];
  std::vector<float> out(head_dim);
  for (std::uint64_t head = 0; head < heads; ++head) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      const auto slot = static_cast<std::uint64_t>(row_slot[row]);
      const std::vector<float> query =
          Cells(qkv).Read((row * qkv.dims[1] + head) * head_dim, head_dim);
      Attend(query.data(), Cells(keys, Strip(keys, slot, head / group)),
             Cells(values, Strip(values, slot, head / group)),
             static_cast<std::uint64_t>(positions[row]) + 1, head_dim, out.data());
      Cells(attn).Write((head * rows + row) * head_dim, head_dim, out.data());
    }
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::contiguous
