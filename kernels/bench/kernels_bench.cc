// Throughput of the measures on the host, as a fraction of memcmp over the same buffers in the same
// run. Bytes are those of both sides together.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <ctime>
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

constexpr std::uint64_t kSideBytes = 256 << 20;
constexpr std::uint32_t kColumns = 129280;

// kAllDiffer: by one bit in the lowest place; kUnrelated: other random numbers.
enum class Data { kEqual, kOneIn1000, kAllDiffer, kUnrelated };

struct Sides {
  std::vector<unsigned char> a, b;
};

// Finite elements in every format: random bits under a top byte from 0x30 to 0x3f.
std::vector<unsigned char> RandomSide(DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned char> side(kSideBytes);
  for (auto& byte : side) byte = static_cast<unsigned char>(random());
  const std::uint64_t width = BytesOf(dtype, 1);
  for (std::uint64_t i = width - 1; i < kSideBytes; i += width) {
    side[i] = static_cast<unsigned char>(0x30 | (side[i] & 0x0f));
  }
  return side;
}

Sides MakeSides(DType dtype, Data data) {
  Sides sides;
  sides.a = RandomSide(dtype, 7);
  sides.b = data == Data::kUnrelated ? RandomSide(dtype, 8) : sides.a;
  if (data == Data::kEqual || data == Data::kUnrelated) return sides;
  const std::uint64_t step = BytesOf(dtype, 1) * (data == Data::kAllDiffer ? 1 : 1000);
  for (std::uint64_t i = 0; i < kSideBytes; i += step) sides.b[i] ^= 1;
  return sides;
}

// Of this thread, so that another's work does not count.
double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Work>
double Seconds(Work work) {
  const double start = CpuSeconds();
  work();
  return CpuSeconds() - start;
}

double SecondsOfMemcmp(const Sides& sides) {
  const std::vector<unsigned char> copy = sides.a;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    best =
        std::min(best, Seconds([&] {
                   benchmark::DoNotOptimize(std::memcmp(sides.a.data(), copy.data(), copy.size()));
                 }));
  }
  return best;
}

// The best run against memcmp's best.
template <typename Measure>
void Report(benchmark::State& state, const Sides& sides, Measure measure) {
  const double memcmp_seconds = SecondsOfMemcmp(sides);
  double best = 1e9;
  for (auto _ : state) best = std::min(best, Seconds(measure));
  state.SetBytesProcessed(state.iterations() * 2 * static_cast<std::int64_t>(kSideBytes));
  state.counters["of_memcmp"] = memcmp_seconds / best;
}

void Elements(benchmark::State& state, DType dtype, Data data) {
  const Sides sides = MakeSides(dtype, data);
  Report(state, sides, [&] {
    benchmark::DoNotOptimize(
        CompareElements(dtype, sides.a.data(), sides.b.data(), ElementsIn(dtype, kSideBytes)));
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
  const std::pair<Data, const char*> kinds[] = {{Data::kEqual, "equal"},
                                                {Data::kOneIn1000, "one_in_1000"},
                                                {Data::kAllDiffer, "all_differ"},
                                                {Data::kUnrelated, "unrelated"}};
  for (const auto& [data, name] : kinds) {
    for (DType dtype :
         {DType::kF64, DType::kF32, DType::kF16, DType::kBF16, DType::kE4M3, DType::kE5M2,
          DType::kE8M0, DType::kE2M1, DType::kI32, DType::kU8, DType::kBytes}) {
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
