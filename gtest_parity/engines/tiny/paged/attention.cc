#include <algorithm>
#include <cmath>
#include <cstring>

#include "gtest_parity/engines/tiny/paged/dot.h"
#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/paged/rows.h"

namespace parity::tiny::paged {
namespace {

// Where a sequence's tokens lie in a cache [pages, tokens, KV heads, head_dim].
struct Cache {
  const Operand& tensor;
  const std::int32_t* pages;

  // The row of one position and KV head, as LoadRow counts.
  std::uint64_t Row(std::uint64_t position, std::uint64_t kv_head) const {
    const std::uint64_t page_tokens = tensor.dims[1];
    const auto page = static_cast<std::uint64_t>(pages[position / page_tokens]);
    return (page * page_tokens + position % page_tokens) * tensor.dims[2] + kv_head;
  }
};

const std::int32_t* PagesOf(const Operand& block_table, std::int32_t sequence) {
  return block_table.As<std::int32_t>() +
         static_cast<std::uint64_t>(sequence) * Columns(block_table);
}

// In place: exp(score - max) / sum, the sum from the first to the last.
void Softmax(std::vector<float>& scores) {
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) {
    score = std::exp(score - most);
    sum += score;
  }
  for (float& score : scores) score /= sum;
}

// query, out: [head_dim].
void AttendHead(const float* query, const Cache& keys, const Cache& values, std::uint64_t kv_head,
                std::uint64_t context, float* out) {
  const std::uint64_t head_dim = keys.tensor.dims[3];
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> row(head_dim);
  std::vector<float> weights(context);
  for (std::uint64_t position = 0; position < context; ++position) {
    LoadRow(keys.tensor, keys.Row(position, kv_head), row.data());
    weights[position] = Dot(query, row.data(), head_dim) * scale;
  }
  Softmax(weights);
  std::fill_n(out, head_dim, 0.0f);
  for (std::uint64_t position = 0; position < context; ++position) {
    LoadRow(values.tensor, values.Row(position, kv_head), row.data());
    for (std::uint64_t i = 0; i < head_dim; ++i) out[i] += weights[position] * row[i];
  }
}

}  // namespace

parity_status Append(const OpArgs& args) {
  const std::int32_t* positions = args.reads[2].As<std::int32_t>();
  const std::int32_t* row_seq = args.reads[3].As<std::int32_t>();
  for (std::size_t which = 0; which < 2; ++which) {
    const Operand& from = args.reads[which];
    const Operand& tensor = args.updates[which];
    const std::uint64_t row_bytes = Columns(from) * BytesOf(from.dtype);
    for (std::uint64_t row = 0; row < RowCount(from); ++row) {
      const Cache cache{tensor, PagesOf(args.reads[4], row_seq[row])};
      const std::uint64_t to = cache.Row(static_cast<std::uint64_t>(positions[row]), 0);
      std::memcpy(tensor.As<std::byte>() + to * Columns(tensor) * BytesOf(tensor.dtype),
                  from.As<std::byte>() + row * row_bytes, row_bytes);
    }
  }
  return PARITY_OK;
}

parity_status Attention(const OpArgs& args) {
  const Operand& query = args.reads[0];
  const Operand& output = args.writes[0];
  const std::int32_t* positions = args.reads[3].As<std::int32_t>();
  const std::int32_t* row_seq = args.reads[4].As<std::int32_t>();
  const std::uint64_t head_dim = args.reads[1].dims[3];
  const std::uint64_t heads = Columns(query) / head_dim;
  const std::uint64_t group = heads / args.reads[1].dims[2];
  std::vector<float> q(Columns(query)), out(Columns(query));
  for (std::uint64_t row = 0; row < RowCount(query); ++row) {
    const std::int32_t* pages = PagesOf(args.reads[5], row_seq[row]);
    const Cache keys{args.reads[1], pages}, values{args.reads[2], pages};
    LoadRow(query, row, q.data());
    for (std::uint64_t head = 0; head < heads; ++head) {
      AttendHead(q.data() + head * head_dim, keys, values, head / group,
                 static_cast<std::uint64_t>(positions[row]) + 1, out.data() + head * head_dim);
    }
    StoreRow(output, row, out.data());
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::paged
