// Throughput of the measures on the host, as a fraction of memcmp over the same buffers in the same
// run. Bytes are those of both sides together.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/changed.h"
#include "kernels/digest.h"
#include "kernels/elements.h"
#include "kernels/rows.h"

namespace parity {
namespace {

constexpr std::uint64_t kSideBytes = 64 << 20;
constexpr std::uint32_t kColumns = 129280;

enum class Data { kEqual, kOneIn1000, kAllDiffer };

struct Sides {
  std::vector<unsigned char> a, b;
};

// Finite elements in every format: random bits under a top byte from 0x30 to 0x3f.
Sides MakeSides(DType dtype, Data data) {
  Sides sides;
  std::mt19937 random(7);
  const std::uint32_t width = (BitsOf(dtype) / 8);
  sides.a.resize(kSideBytes);
  for (auto& byte : sides.a) byte = static_cast<unsigned char>(random());
  for (std::uint64_t i = width - 1; i < kSideBytes; i += width) {
    sides.a[i] = static_cast<unsigned char>(0x30 | (sides.a[i] & 0x0f));
  }
  sides.b = sides.a;
  const std::uint64_t step = data == Data::kAllDiffer ? 1 : 1000;
  for (std::uint64_t i = 0; data != Data::kEqual && i < kSideBytes; i += step * width) {
    sides.b[i] ^= 1;
  }
  return sides;
}

double SecondsOfMemcmp(const Sides& sides) {
  const std::vector<unsigned char> copy = sides.a;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(std::memcmp(sides.a.data(), copy.data(), copy.size()));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

template <typename Measure>
void Report(benchmark::State& state, const Sides& sides, Measure measure) {
  const double memcmp_seconds = SecondsOfMemcmp(sides);
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) measure();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const auto iterations = static_cast<double>(state.iterations());
  state.SetBytesProcessed(state.iterations() * 2 * static_cast<std::int64_t>(kSideBytes));
  state.counters["of_memcmp"] = memcmp_seconds * iterations / elapsed.count();
}

void Elements(benchmark::State& state, DType dtype, Data data) {
  const Sides sides = MakeSides(dtype, data);
  Report(state, sides, [&] {
    benchmark::DoNotOptimize(
        CompareElements(dtype, sides.a.data(), sides.b.data(), kSideBytes / (BitsOf(dtype) / 8)));
  });
}

void Changed(benchmark::State& state, Data data) {
  const Sides sides = MakeSides(DType::kF32, data);
  Report(state, sides, [&] {
    benchmark::DoNotOptimize(ChangedBlocks(sides.a.data(), sides.b.data(), kSideBytes));
  });
}

void Rows(benchmark::State& state, Data data) {
  const Sides sides = MakeSides(DType::kF32, data);
  Report(state, sides, [&] {
    benchmark::DoNotOptimize(CompareRows(DType::kF32, kColumns, kSideBytes / 4 / kColumns,
                                         sides.a.data(), sides.b.data()));
  });
}

void Digests(benchmark::State& state) {
  const Sides sides = MakeSides(DType::kF32, Data::kEqual);
  Report(state, sides, [&] {
    benchmark::DoNotOptimize(DigestOf(sides.a.data(), kSideBytes));
    benchmark::DoNotOptimize(DigestOf(sides.b.data(), kSideBytes));
  });
}

void RegisterAll() {
  const std::pair<Data, const char*> kinds[] = {
      {Data::kEqual, "equal"}, {Data::kOneIn1000, "one_in_1000"}, {Data::kAllDiffer, "all_differ"}};
  for (const auto& [data, name] : kinds) {
    for (DType dtype : {DType::kF64, DType::kF32, DType::kF16, DType::kBF16, DType::kE4M3,
                        DType::kI32, DType::kU8, DType::kBytes}) {
      const std::string label = "elements/" + std::string(NameOf(dtype)) + "/" + name;
      benchmark::RegisterBenchmark(label.c_str(), Elements, dtype, data);
    }
    benchmark::RegisterBenchmark((std::string("changed/") + name).c_str(), Changed, data);
    benchmark::RegisterBenchmark((std::string("rows/f32/") + name).c_str(), Rows, data);
  }
  benchmark::RegisterBenchmark("digest", Digests);
}

[[maybe_unused]] const bool kRegistered = (RegisterAll(), true);

}  // namespace
}  // namespace parity
