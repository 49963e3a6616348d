#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/ported/storage.h"

namespace parity::tiny::ported {
namespace {

// Token places of the paged caches, in tokens: cache row = token * KV heads + head.
struct Places {
  const std::int32_t *positions, *row_seq, *table;
  std::size_t pages_per_sequence, page_tokens;

  Places(const Operand& positions, const Operand& row_seq, const Operand& table,
         const Operand& cache)
      : positions(positions.As<std::int32_t>()),
        row_seq(row_seq.As<std::int32_t>()),
        table(table.As<std::int32_t>()),
        pages_per_sequence(table.dims[1]),
        page_tokens(cache.dims[1]) {}
  std::size_t Token(std::size_t row, std::size_t position) const {
    const auto sequence = static_cast<std::size_t>(row_seq[row]);
    const auto page =
        static_cast<std::size_t>(table[sequence * pages_per_sequence + position / page_tokens]);
    return page * page_tokens + position % page_tokens;
  }
  std::size_t Context(std::size_t row) const {
    return static_cast<std::size_t>(positions[row]) + 1;
  }
};

// Sixteen interleaved sums, folded in halves.
template <typename Storage>
float Score(const float* query, const typename Storage::Stored* key, std::size_t head_dim) {
  float part[16] = {};
  for (std::size_t i = 0; i < head_dim; i += 16) {
    for (std::size_t lane = 0; lane < 16; ++lane) {
      part[lane] += query[i + lane] * Storage::Widen(key[i + lane]);
    }
  }
  for (std::size_t i = 0; i < 8; ++i) part[i] += part[i + 8];
  for (std::size_t i = 0; i < 4; ++i) part[i] += part[i + 4];
  return (part[0] + part[2]) + (part[1] + part[3]);
}

// Turns scores into weights that sum to one.
void Normalize(std::vector<float>& scores) {
  float highest = scores[0];
  for (const float score : scores) {
    if (highest < score) highest = score;
  }
  float total = 0.0f;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = std::exp(scores[i] - highest);
    total += scores[i];
  }
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] /= total;
}

// All heads of one KV head for one row, so that each key and value is fetched for its group.
template <typename Storage>
class GroupAttention {
 public:
  GroupAttention(const OpArgs& args, const Places& places)
      : query_(args.reads[0]),
        keys_(args.reads[1]),
        values_(args.reads[2]),
        out_(args.writes[0]),
        places_(places),
        kv_heads_(args.reads[1].dims[2]),
        head_dim_(args.reads[1].dims[3]),
        group_(query_.columns / head_dim_ / kv_heads_) {}

  void Run(std::size_t row, std::size_t kv_head) {
    const std::size_t context = places_.Context(row);
    weights_.assign(group_, std::vector<float>(context));
    sums_.assign(group_ * head_dim_, 0.0f);
    FillWeights(row, kv_head, context);
    for (std::size_t j = 0; j < context; ++j) {
      const auto* value = Fetch(values_, row, j, kv_head);
      for (std::size_t member = 0; member < group_; ++member) {
        float* sum = sums_.data() + member * head_dim_;
        const float weight = weights_[member][j];
        for (std::size_t i = 0; i < head_dim_; ++i) sum[i] += weight * Storage::Widen(value[i]);
      }
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      out_.Put(row, kv_head * group_ * head_dim_ + i, sums_[i]);
    }
  }

 private:
  const typename Storage::Stored* Fetch(const Matrix<Storage>& cache, std::size_t row,
                                        std::size_t position, std::size_t kv_head) const {
    return cache.data + (places_.Token(row, position) * kv_heads_ + kv_head) * head_dim_;
  }

  void FillWeights(std::size_t row, std::size_t kv_head, std::size_t context) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim_));
    std::vector<float> query(group_ * head_dim_);
    for (std::size_t i = 0; i < query.size(); ++i) {
      query[i] = query_.At(row, kv_head * query.size() + i);
    }
    for (std::size_t j = 0; j < context; ++j) {
      const auto* key = Fetch(keys_, row, j, kv_head);
      for (std::size_t member = 0; member < group_; ++member) {
        weights_[member][j] =
            Score<Storage>(query.data() + member * head_dim_, key, head_dim_) * scale;
      }
    }
    for (std::vector<float>& weights : weights_) Normalize(weights);
  }

  Matrix<Storage> query_, keys_, values_, out_;
  const Places& places_;
  std::size_t kv_heads_, head_dim_, group_;
  std::vector<std::vector<float>> weights_;  // [group][context]
  std::vector<float> sums_;                  // [group * head_dim]
};

}  // namespace

parity_status ScatterKernel(const OpArgs& args) {
  const Places places(args.reads[2], args.reads[3], args.reads[4], args.updates[0]);
  for (std::size_t which = 0; which < 2; ++which) {
    WithStorage(args.reads[which], [&](auto storage) {
      const Matrix<decltype(storage)> from(args.reads[which]), cache(args.updates[which]);
      for (std::size_t row = 0; row < from.rows; ++row) {
        const std::size_t token = places.Token(row, places.Context(row) - 1);
        for (std::size_t i = 0; i < from.columns; ++i) {
          cache.data[token * from.columns + i] = from.data[row * from.columns + i];
        }
      }
    });
  }
  return PARITY_OK;
}

parity_status AttendKernel(const OpArgs& args) {
  const Places places(args.reads[3], args.reads[4], args.reads[5], args.reads[1]);
  WithStorage(args.reads[0], [&](auto storage) {
    GroupAttention<decltype(storage)> attention(args, places);
    for (std::size_t kv_head = 0; kv_head < args.reads[1].dims[2]; ++kv_head) {
      for (std::size_t row = 0; row < args.reads[0].dims[0]; ++row) attention.Run(row, kv_head);
    }
  });
  return PARITY_OK;
}

}  // namespace parity::tiny::ported
