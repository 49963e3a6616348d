// Attention that streams over the keys with a running maximum and sum (Milakov and Gimelshein 2018,
// "Online normalizer calculation for softmax").
#include <cmath>
#include <limits>
#include <vector>

#include "gtest_parity/engines/tiny/fused/lanes.h"
#include "gtest_parity/engines/tiny/fused/ops.h"

namespace parity::tiny::fused {
namespace {

// One query head's softmax so far.
class Stream {
 public:
  explicit Stream(std::uint64_t head_dim) : sum_(head_dim) {}

  void Start() {
    most_ = -std::numeric_limits<float>::infinity();
    total_ = 0;
    sum_.assign(sum_.size(), 0.0f);
  }

  void Add(float score, const float* value) {
    if (score > most_) {
      Rescale(std::exp(most_ - score));
      most_ = score;
    }
    const float weight = std::exp(score - most_);
    total_ += weight;
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += weight * value[i];
  }

  // out: [head_dim].
  void Finish(float* out) const {
    const float scale = 1 / total_;
    for (std::size_t i = 0; i < sum_.size(); ++i) out[i] = sum_[i] * scale;
  }

 private:
  void Rescale(float factor) {
    total_ *= factor;
    for (float& value : sum_) value *= factor;
  }

  float most_ = 0, total_ = 0;
  std::vector<float> sum_;
};

// query, out: [group * head_dim], the query heads of one KV head.
void AttendGroup(const OpArgs& args, std::uint64_t row, std::uint64_t kv_head, const float* query,
                 std::vector<Stream>& streams, float* out) {
  const Operand& keys = args.reads[1];
  const Operand& table = args.reads[5];
  const std::uint64_t page_tokens = keys.dims[1], kv_heads = keys.dims[2], head_dim = keys.dims[3];
  const auto last = static_cast<std::uint64_t>(args.reads[3].As<std::int32_t>()[row]);
  const auto sequence = static_cast<std::uint64_t>(args.reads[4].As<std::int32_t>()[row]);
  const std::int32_t* pages = table.As<std::int32_t>() + sequence * table.dims[1];
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> key(head_dim), value(head_dim);
  for (Stream& stream : streams) stream.Start();
  for (std::uint64_t position = 0; position <= last; ++position) {
    const auto page = static_cast<std::uint64_t>(pages[position / page_tokens]);
    const std::uint64_t token = page * page_tokens + position % page_tokens;
    const std::uint64_t first = (token * kv_heads + kv_head) * head_dim;
    Load(keys, first, head_dim, key.data());
    Load(args.reads[2], first, head_dim, value.data());
    for (std::size_t member = 0; member < streams.size(); ++member) {
      const float score = Dot(query + member * head_dim, key.data(), head_dim) * scale;
      streams[member].Add(score, value.data());
    }
  }
  for (std::size_t member = 0; member < streams.size(); ++member) {
    streams[member].Finish(out + member * head_dim);
  }
}

}  // namespace

parity_status Attention(const OpArgs& args) {
  const Operand& query = args.reads[0];
  const std::uint64_t rows = query.dims[0], width = query.dims[1];
  const std::uint64_t kv_heads = args.reads[1].dims[2], head_dim = args.reads[1].dims[3];
  const std::uint64_t group = width / head_dim / kv_heads;
  std::vector<Stream> streams(group, Stream(head_dim));
  std::vector<float> q(width), out(width);
  for (std::uint64_t row = 0; row < rows; ++row) {
    Load(query, row * width, width, q.data());
    for (std::uint64_t kv_head = 0; kv_head < kv_heads; ++kv_head) {
      const std::uint64_t first = kv_head * group * head_dim;
      AttendGroup(args, row, kv_head, q.data() + first, streams, out.data() + first);
    }
    Store(args.writes[0], row * width, width, out.data());
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::fused
