#include "gtest_parity/engines/tiny/cuda/cache.cuh"
#include "gtest_parity/engines/tiny/cuda/ported/flat.cuh"
#include "gtest_parity/engines/tiny/cuda/ported/ops.h"

namespace parity::tiny::cuda::ported {

parity_status RopeTable(const OpArgs& args) {
  const std::uint64_t pairs = Columns(args.writes[0]);
  auto *cosines = args.writes[0].As<float>(), *sines = args.writes[1].As<float>();
  const float theta = args.model->rope_theta;
  ForEach(args, "RopeTable", args.writes[0].Elements(), [=] __device__(std::uint64_t at) {
    const float exponent = static_cast<float>(at % pairs) / static_cast<float>(pairs);
    const float angle = static_cast<float>(at / pairs) * (1.0f / powf(theta, exponent));
    cosines[at] = cosf(angle);
    sines[at] = sinf(angle);
  });
  return PARITY_OK;
}

parity_status Embed(const OpArgs& args) {
  const std::uint64_t columns = Columns(args.writes[0]);
  const auto* tokens = args.reads[0].As<std::int32_t>();
  const Stored table = At(args.reads[1]), out = At(args.writes[0]);
  ForEach(args, "Embed", args.writes[0].Elements(), [=] __device__(std::uint64_t at) {
    const auto token = static_cast<std::uint64_t>(tokens[at / columns]);
    out.Store(at, table.Load(token * columns + at % columns));
  });
  return PARITY_OK;
}

parity_status RopeRows(const OpArgs& args) {
  const std::uint64_t pairs = Columns(args.writes[0]);
  const auto* positions = args.reads[0].As<std::int32_t>();
  const auto *cosines = args.reads[1].As<float>(), *sines = args.reads[2].As<float>();
  auto *cos_rows = args.writes[0].As<float>(), *sin_rows = args.writes[1].As<float>();
  ForEach(args, "RopeRows", args.writes[0].Elements(), [=] __device__(std::uint64_t at) {
    const std::uint64_t from =
        static_cast<std::uint64_t>(positions[at / pairs]) * pairs + at % pairs;
    cos_rows[at] = cosines[from];
    sin_rows[at] = sines[from];
  });
  return PARITY_OK;
}

parity_status Rope(const OpArgs& args) {
  const std::uint64_t pairs = Columns(args.reads[0]);
  const auto *cosines = args.reads[0].As<float>(), *sines = args.reads[1].As<float>();
  for (const Operand& turned : args.updates) {
    const Stored tensor = At(turned);
    const std::uint64_t heads = Columns(turned) / (2 * pairs);
    ForEach(args, "Rope", turned.Elements() / 2, [=] __device__(std::uint64_t at) {
      const std::uint64_t head = at / pairs, angle = head / heads * pairs + at % pairs;
      const std::uint64_t low = head * 2 * pairs + at % pairs, high = low + pairs;
      const float a = tensor.Load(low), b = tensor.Load(high);
      tensor.Store(low, a * cosines[angle] - b * sines[angle]);
      tensor.Store(high, b * cosines[angle] + a * sines[angle]);
    });
  }
  return PARITY_OK;
}

parity_status Append(const OpArgs& args) {
  const auto* positions = args.reads[2].As<std::int32_t>();
  const auto* row_seq = args.reads[3].As<std::int32_t>();
  for (std::size_t which = 0; which < 2; ++which) {
    const Stored from = At(args.reads[which]);
    const Cache cache = CacheOf(args.updates[which], args.reads[4]);
    const std::uint64_t columns = Columns(args.reads[which]);
    ForEach(args, "Append", args.reads[which].Elements(), [=] __device__(std::uint64_t at) {
      const std::uint64_t row = at / columns;
      const std::uint64_t to =
          cache.At(row_seq[row], static_cast<std::uint32_t>(positions[row]), 0) + at % columns;
      cache.stored.Store(to, from.Load(at));
    });
  }
  return PARITY_OK;
}

parity_status Add(const OpArgs& args) {
  const Stored partial = At(args.reads[0]), hidden = At(args.updates[0]);
  ForEach(args, "Add", args.updates[0].Elements(), [=] __device__(std::uint64_t at) {
    hidden.Store(at, hidden.Load(at) + hidden.Rounded(partial.Load(at)));
  });
  return PARITY_OK;
}

parity_status SiluMul(const OpArgs& args) {
  const Stored gate = At(args.reads[0]), up = At(args.reads[1]), out = At(args.writes[0]);
  ForEach(args, "SiluMul", args.writes[0].Elements(), [=] __device__(std::uint64_t at) {
    const float value = gate.Load(at);
    out.Store(at, value / (1.0f + expf(-value)) * up.Load(at));
  });
  return PARITY_OK;
}

parity_status Linear(const OpArgs& args) {
  On(args).Multiply(args.reads[0], args.reads[1], args.writes[0]);
  return PARITY_OK;
}

parity_status AllReduce(const OpArgs& args) {
  On(args).AllReduce(args.updates[0].As<float>(), args.updates[0].Elements());
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::ported
