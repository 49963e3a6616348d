// The instruments on the device, each as a fraction of the rate at which a plain 16-byte compare
// reads the same buffers in the same process.
//   bench_kernels [--filter TEXT] [--gib N] [--json FILE] [--no_sustained]
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/bench/bench_data.h"
#include "kernels/bench/bench_timing.h"
#include "kernels/bench/shared_memory.h"
#include "kernels/cuda/changed_batch.h"
#include "kernels/cuda/elements_batch.h"
#include "kernels/cuda/rows_batch.h"
#include "kernels/cuda/small_questions.h"

namespace parity {
namespace {

struct Options {
  std::string filter, json;
  std::uint64_t side_bytes = std::uint64_t{8} << 30;
  bool sustained = true;
};

struct Figure {
  std::string name, aim;
  double baseline_ms, cool_ms, sustained_baseline_ms, sustained_ms;
  std::uint64_t bytes;  // of both sides
};

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options), scratch_(nullptr) {
    CheckCuda(cudaMalloc(&a_, options.side_bytes + 64), "cudaMalloc");
    CheckCuda(cudaMalloc(&b_, options.side_bytes + 64), "cudaMalloc");
    CheckCuda(cudaMalloc(reinterpret_cast<void**>(&count_), sizeof(*count_)), "cudaMalloc");
    PrintHeader();
  }
  ~Bench() {
    cudaFree(a_);
    cudaFree(b_);
    cudaFree(count_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void Run() {
    for (const BenchData data :
         {BenchData::kEqual, BenchData::kNoise, BenchData::kUlps, BenchData::kMixed}) {
      for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF16, DType::kE4M3})
        Elements(dtype, data);
    }
    for (const DType dtype : {DType::kF64, DType::kE5M2, DType::kE8M0, DType::kE2M1, DType::kI8,
                              DType::kU8, DType::kI16, DType::kI32, DType::kI64, DType::kBytes}) {
      Elements(dtype, BenchData::kEqual);
      Elements(dtype, BenchData::kUnrelated);
    }
    for (const DType dtype : {DType::kF32, DType::kBF16, DType::kE4M3}) Unaligned(dtype);
    Changed(BenchData::kEqual, false);
    Changed(BenchData::kOneIn1000, false);
    Changed(BenchData::kEqual, true);
    RunRows();
    for (const BenchData data : {BenchData::kEqual, BenchData::kNoise, BenchData::kMixed}) {
      for (const DType dtype : {DType::kF32, DType::kBF16, DType::kE4M3}) SmallOnes(dtype, data);
    }
    RunOthers();
    RunRecording();
    WriteJson();
  }

 private:
  void PrintHeader() {
    cudaDeviceProp device{};
    int id = 0;
    CheckCuda(cudaGetDevice(&id), "cudaGetDevice");
    CheckCuda(cudaGetDeviceProperties(&device, id), "cudaGetDeviceProperties");
    card_ = device.name;
    std::printf(
        "%s, %d multiprocessors; fractions of a 16-byte compare of the same buffers\n%-44s %9s %9s "
        "%7s %9s %7s  %s\n",
        device.name, device.multiProcessorCount, "case", "plain ms", "cool ms", "frac", "sust. ms",
        "frac", "aim cool (sustained)");
  }

  bool Wanted(const std::string& name) const {
    return name.find(options_.filter) != std::string::npos;
  }

  void Time(const std::string& name, const std::string& aim, std::uint64_t side_bytes,
            const std::function<void()>& work) {
    TimeBeside([&] { LaunchStreamingCompare(a_, b_, side_bytes, count_); }, name, aim, side_bytes,
               work);
  }

  void TimeBeside(const std::function<void()>& plain, const std::string& name,
                  const std::string& aim, std::uint64_t side_bytes,
                  const std::function<void()>& work) {
    Figure figure{name, aim, timer_.Cool(plain), timer_.Cool(work), 0, 0, 2 * side_bytes};
    if (options_.sustained) {
      figure.sustained_baseline_ms = timer_.Sustained(plain);
      figure.sustained_ms = timer_.Sustained(work);
    }
    std::printf("%-44s %9.4f %9.4f %7.3f %9.4f %7.3f  %s\n", name.c_str(), figure.baseline_ms,
                figure.cool_ms, figure.baseline_ms / figure.cool_ms, figure.sustained_ms,
                options_.sustained ? figure.sustained_baseline_ms / figure.sustained_ms : 0.0,
                aim.c_str());
    std::fflush(stdout);
    figures_.push_back(figure);
  }

  static const char* NameOfData(BenchData data) {
    const char* names[] = {"equal", "noise", "1-3 ulp", "mixed", "1 in 1000", "unrelated"};
    return names[static_cast<int>(data)];
  }

  static std::string AimOf(DType dtype, BenchData data) {
    if (data == BenchData::kEqual) return "0.98 (0.97)";
    if (dtype == DType::kF32) return data == BenchData::kMixed ? "0.80" : "0.96 (0.95)";
    if (dtype == DType::kE4M3) return data == BenchData::kMixed ? "0.88" : "0.93 (0.87)";
    if (data == BenchData::kMixed) return "0.60";
    const bool noise = data == BenchData::kNoise;
    if (dtype == DType::kBF16) return noise ? "0.88 (0.78)" : "0.93 (0.82)";
    return noise ? "0.85 (0.75)" : "0.88 (0.76)";
  }

  void Elements(DType dtype, BenchData data) {
    const bool main = dtype == DType::kF32 || dtype == DType::kBF16 || dtype == DType::kF16 ||
                      dtype == DType::kE4M3;
    const std::string name = "elements/" + std::string(NameOf(dtype)) + "/" + NameOfData(data);
    if (!Wanted(name)) return;
    MakeBenchData(dtype, data, a_, b_, options_.side_bytes);
    scratch_.Begin();
    const std::vector<ElementsTask> tasks = {
        {dtype, a_, b_, ElementsIn(dtype, options_.side_bytes), 0}};
    ElementsBatch batch(tasks, scratch_);
    Time(name, main ? AimOf(dtype, data) : "0.3", options_.side_bytes, [&] { batch.Launch(); });
  }

  void Unaligned(DType dtype) {
    const std::string name = "elements/" + std::string(NameOf(dtype)) + "/noise, 1 byte off";
    if (!Wanted(name)) return;
    MakeBenchData(dtype, BenchData::kNoise, static_cast<char*>(a_), static_cast<char*>(b_),
                  options_.side_bytes);
    scratch_.Begin();
    const std::vector<ElementsTask> tasks = {{dtype, static_cast<char*>(a_) + 1,
                                              static_cast<char*>(b_) + 1,
                                              ElementsIn(dtype, options_.side_bytes) - 1, 0}};
    ElementsBatch batch(tasks, scratch_);
    Time(name, "0.3", options_.side_bytes, [&] { batch.Launch(); });
  }

  void Changed(BenchData data, bool any) {
    const std::string name = std::string(any ? "differ/" : "changed/") + NameOfData(data);
    if (!Wanted(name)) return;
    MakeBenchData(DType::kF32, data, a_, b_, options_.side_bytes);
    scratch_.Begin();
    const std::vector<ChangedTask> tasks = {{a_, b_, options_.side_bytes}};
    ChangedBatch batch(tasks, any ? ChangedBatch::Ask::kAny : ChangedBatch::Ask::kBitmap, scratch_);
    Time(name, "0.985", options_.side_bytes, [&] { batch.Launch(); });
  }

  void RunRows() {
    Rows(DType::kF32, 4036, 129280, false, "0.94 (0.91)");
    Rows(DType::kF32, 4036, 129280, true, "0.55");
    Rows(DType::kBF16, 4036, 129280, false, "0.3");
    Rows(DType::kBF16, 4036, 129280, true, "0.3");
    Rows(DType::kF32, 1, 262144, false, "");
    Rows(DType::kF32, 16, 129280, false, "");
    Rows(DType::kF32, 128, 129280, false, "");
    Rows(DType::kF32, 65536, 64, false, "");
    Rows(DType::kF32, 65536, 4096, false, "0.3");
    Rows(DType::kF32, 4036, 50257, false, "0.3");
  }

  void Rows(DType dtype, std::uint64_t rows, std::uint32_t columns, bool unrelated,
            const char* aim) {
    const std::string name = "rows/" + std::string(NameOf(dtype)) + "/" + std::to_string(rows) +
                             " x " + std::to_string(columns) +
                             (unrelated ? " unrelated" : " close");
    const std::uint64_t bytes = BytesOf(dtype, rows * columns);
    if (!Wanted(name) || bytes > options_.side_bytes) return;
    MakeBenchRows(dtype, unrelated, a_, b_, rows * columns);
    scratch_.Begin();
    const std::vector<RowsTask> tasks = {{dtype, columns, rows, a_, b_}};
    RowsBatch batch(tasks, scratch_);
    Time(name, aim, bytes, [&] { batch.Launch(); });
  }

  // 10,000 comparisons of 4 KiB in one batch; the plain compare reads their bytes as one array.
  void SmallOnes(DType dtype, BenchData data) {
    constexpr std::uint64_t kTasks = 10000, kBytes = 4096;
    const std::string name = "batch/" + std::string(NameOf(dtype)) + "/" + NameOfData(data);
    if (!Wanted(name)) return;
    MakeBenchData(dtype, data, a_, b_, kTasks * kBytes);
    scratch_.Begin();
    std::vector<ElementsTask> tasks;
    for (std::uint64_t i = 0; i < kTasks; ++i) {
      tasks.push_back({dtype, static_cast<char*>(a_) + i * kBytes,
                       static_cast<char*>(b_) + i * kBytes, ElementsIn(dtype, kBytes), 0});
    }
    ElementsBatch batch(tasks, scratch_);
    const char* aim = data == BenchData::kEqual   ? "30 us"
                      : data == BenchData::kMixed ? ""
                      : dtype == DType::kF32      ? "50 us"
                      : dtype == DType::kBF16     ? "60 us"
                                                  : "80 us";
    Time(name, aim, kTasks * kBytes, [&] { batch.Launch(); });
  }

  // With their uploads and downloads, as CudaKernels calls them.
  void RunOthers() {
    const std::uint64_t bytes = options_.side_bytes;
    if (!Wanted("others")) return;
    MakeBenchData(DType::kF32, BenchData::kNoise, a_, b_, bytes);
    const std::vector<DigestTask> digest = {{a_, bytes}, {b_, bytes}};
    Time("others/digest of both sides", "", bytes, [&] {
      scratch_.Begin();
      Digests(digest, scratch_);
    });
    const std::vector<UnwrittenTask> unwritten = {{DType::kF32, a_, 1, b_, 2, bytes / 4, 0}};
    Time("others/unwritten f32", "", bytes, [&] {
      scratch_.Begin();
      Unwritten(unwritten, scratch_);
    });
    const std::vector<DomainTask> domain = {{DType::kF32, a_, bytes / 4, {-100, 100}},
                                            {DType::kF32, b_, bytes / 4, {-100, 100}}};
    Time("others/domain f32 of both sides", "", bytes, [&] {
      scratch_.Begin();
      Outside(domain, scratch_);
    });
    const std::vector<CopyTask> copy = {{a_, b_, bytes}};
    Time("others/copy", "", bytes, [&] {
      scratch_.Begin();
      Copy(copy, scratch_);
    });
    Time("others/cudaMemcpyAsync", "", bytes, [&] {
      CheckCuda(cudaMemcpyAsync(b_, a_, bytes, cudaMemcpyDeviceToDevice, nullptr),
                "cudaMemcpyAsync");
    });
    const std::vector<FillTask> fill = {{DType::kF32, 0x7fc5a5a5, a_, bytes / 4},
                                        {DType::kF32, 0x7fc5a5a5, b_, bytes / 4}};
    Time("others/poison of both sides", "", bytes, [&] {
      scratch_.Begin();
      Fill(fill, scratch_);
    });
  }

  // Pages stored as a recording keeps them, beside the copy between two plain allocations.
  void RunRecording() {
    const std::string name = "recording into shared memory";
    if (!Wanted(name)) return;
    constexpr std::uint64_t kPage = 65536;
    const std::uint64_t bytes = options_.side_bytes;
    MakeBenchData(DType::kF32, BenchData::kNoise, a_, b_, bytes);
    const SharedMemory shared(bytes);
    const auto copy = [&] {
      CheckCuda(cudaMemcpyAsync(b_, a_, bytes, cudaMemcpyDeviceToDevice, nullptr),
                "cudaMemcpyAsync");
    };
    TimeBeside(copy, name + ", whole", "0.95", bytes, [&] {
      CheckCuda(cudaMemcpyAsync(shared.data(), a_, bytes, cudaMemcpyDefault, nullptr),
                "cudaMemcpyAsync");
    });
    for (const bool scattered : {false, true}) {
      const std::uint64_t count = bytes / kPage;  // a power of two
      std::vector<CopyTask> pages;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t from = scattered ? i * 12347 % count : i;
        pages.push_back({static_cast<char*>(a_) + from * kPage,
                         static_cast<char*>(shared.data()) + i * kPage, kPage});
      }
      TimeBeside(copy, name + (scattered ? ", scattered" : ", pages"), "0.95", bytes, [&] {
        scratch_.Begin();
        Copy(pages, scratch_);
      });
    }
  }

  void WriteJson() const {
    if (options_.json.empty()) return;
    std::FILE* file = std::fopen(options_.json.c_str(), "w");
    if (file == nullptr) {
      std::perror(options_.json.c_str());
      std::exit(1);
    }
    std::fprintf(file, "{\"card\": \"%s\", \"figures\": [", card_.c_str());
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      const Figure& f = figures_[i];
      std::fprintf(file,
                   "%s\n {\"name\": \"%s\", \"aim\": \"%s\", \"bytes\": %llu, \"plain_cool_ms\": "
                   "%.6f, \"cool_ms\": %.6f, "
                   "\"plain_sustained_ms\": %.6f, \"sustained_ms\": %.6f}",
                   i == 0 ? "" : ",", f.name.c_str(), f.aim.c_str(),
                   static_cast<unsigned long long>(f.bytes), f.baseline_ms, f.cool_ms,
                   f.sustained_baseline_ms, f.sustained_ms);
    }
    std::fprintf(file, "\n]}\n");
    std::fclose(file);
  }

  const Options options_;
  Scratch scratch_;
  EventTimer timer_;
  void* a_ = nullptr;
  void* b_ = nullptr;
  unsigned long long* count_ = nullptr;
  std::string card_;
  std::vector<Figure> figures_;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--no_sustained") {
      options.sustained = false;
    } else if (i + 1 < argc && flag == "--filter") {
      options.filter = argv[++i];
    } else if (i + 1 < argc && flag == "--json") {
      options.json = argv[++i];
    } else if (i + 1 < argc && flag == "--gib") {
      options.side_bytes = std::strtoull(argv[++i], nullptr, 10) << 30;
    } else {
      std::fprintf(stderr, "usage: %s [--filter TEXT] [--gib N] [--json FILE] [--no_sustained]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  return options;
}

}  // namespace
}  // namespace parity

int main(int argc, char** argv) {
  const parity::Options options = parity::Parse(argc, argv);
  try {
    parity::Bench(options).Run();
  } catch (const parity::CudaError& error) {
    std::fprintf(stderr, "bench_kernels: %s\n", error.what());
    return 1;
  }
  return 0;
}
