// How fast stored transcripts are checked, beside merely reading the file.
//   bin/wire_bench [TRANSCRIPT.jsonl] [--benchmark_...]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "suites/wire/judge/judge_wire.h"
#include "suites/wire/transcript/read_transcript.h"

namespace parity::wire {
namespace {

// What a run of the suite keeps of one server is the usual subject; the fixture is always there.
std::string& Path() {
  static std::string path = PARITY_SOURCE_DIR "/tests/wire/fixtures/good.jsonl";
  return path;
}

std::string ReadBytes() {
  std::ostringstream text;
  text << std::ifstream(Path(), std::ios::binary).rdbuf();
  return text.str();
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

double SecondsOfReading() {
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    best = std::min(best, Seconds([] { benchmark::DoNotOptimize(ReadBytes()); }));
  }
  return best;
}

// The best run against the best of reading.
template <typename Work>
void Report(benchmark::State& state, Work work) {
  static const std::uint64_t bytes = ReadBytes().size();
  static const std::uint64_t exchanges = ReadTranscript(Path()).exchanges.size();
  static const double reading = SecondsOfReading();  // before the heap is in disorder
  double best = 1e9;
  for (auto _ : state) best = std::min(best, Seconds(work));
  state.counters["of_reading"] = reading / best;
  const auto times = static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(times * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(times * static_cast<std::int64_t>(exchanges));
}

RuleOptions Options(bool strict) {
  RuleOptions options;
  options.strict = strict;
  return options;
}

void BytesOfTheFile(benchmark::State& state) {
  Report(state, [] { benchmark::DoNotOptimize(ReadBytes()); });
}

void Transcripts(benchmark::State& state) {
  Report(state, [] { benchmark::DoNotOptimize(ReadTranscript(Path())); });
}

// Every rule that one side can break alone, from the file on; `strict`: public types as well.
void Check(benchmark::State& state, bool strict) {
  Report(state, [strict] {
    const Transcript transcript = ReadTranscript(Path());
    const SideView side(transcript);
    benchmark::DoNotOptimize(ApplyRules(side, Options(strict)));
  });
}

// Two sides: rules, pairs and the profile, as a case of the suite has them.
void Judge(benchmark::State& state) {
  const RuleOptions options = Options(true);
  Report(state, [&] {
    const Transcript one = ReadTranscript(Path()), other = ReadTranscript(Path());
    const SideView reference(one), candidate(other);
    benchmark::DoNotOptimize(JudgeWire(reference, candidate, options, options));
  });
}

BENCHMARK(BytesOfTheFile);
BENCHMARK(Transcripts);
BENCHMARK_CAPTURE(Check, rules, false);
BENCHMARK_CAPTURE(Check, strict, true);
BENCHMARK(Judge);

}  // namespace
}  // namespace parity::wire

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 2) {
    std::fprintf(stderr, "wire_bench: got %d files, expected one transcript or none\n", argc - 1);
    return 2;
  }
  if (argc == 2) parity::wire::Path() = argv[1];
  try {
    parity::wire::ReadTranscript(parity::wire::Path());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wire_bench: %s\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
}
