// What looking costs: one sequence, decoded token by token by llama.cpp alone, by the engine with
// the callback in place and nothing asked for, and with every cut shown and put back.
//   llama_cpp_bench --model=M.gguf --benchmark_repetitions=5 --benchmark_enable_random_interleaving
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/engines/llama_cpp/compat.h"
#include "llama.h"

namespace parity {
namespace {

using nlohmann::json;

constexpr std::int32_t kTokens = 128;  // of the sequence
constexpr std::int32_t kVocabularyUsed = 1000;

std::int32_t TokenAt(std::int32_t position) { return (position * 37 + 5) % kVocabularyUsed; }

class Alone {
 public:
  explicit Alone(const std::string& path) {
    llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    ggml_backend_load_all_from_path(PARITY_LLAMA_LIBRARY_FOLDER);
    llama_backend_init();
    llama_model_params loading = llama_model_default_params();
    loading.n_gpu_layers = 0;
    model_.reset(llama_model_load_from_file(path.c_str(), loading));
    if (!model_) throw std::runtime_error("cannot load " + path);
    llama_context_params params = llama_context_default_params();
    params.n_ctx = kTokens;
    params.n_seq_max = 1;
    params.n_threads = params.n_threads_batch = 1;
    llama_cpp::compat::SetFlashAttention(&params, llama_cpp::FlashAttention::kOff);
    context_.reset(llama_init_from_model(model_.get(), params));
    if (!context_) throw std::runtime_error("cannot make a context of " + path);
  }

  void Reset() { llama_cpp::compat::Clear(context_.get()); }
  void Decode(std::int32_t position) {
    llama_token token = TokenAt(position);
    const int code = llama_decode(context_.get(), llama_batch_get_one(&token, 1));
    if (code != 0) throw std::runtime_error("llama_decode returned " + std::to_string(code));
    benchmark::DoNotOptimize(llama_get_logits_ith(context_.get(), 0));
  }

 private:
  struct Free {
    void operator()(llama_model* model) const { llama_model_free(model); }
    void operator()(llama_context* context) const { llama_free(context); }
  };
  std::unique_ptr<llama_model, Free> model_;
  std::unique_ptr<llama_context, Free> context_;
};

class Observed {
 public:
  explicit Observed(const std::string& path) {
    const std::string config = json{{"model", path}, {"context", kTokens}, {"sequences", 1}}.dump();
    FindTaps(json::parse(DescribeEngine(api_, config)));
    parity_create_args args{};
    args.struct_size = sizeof(args);
    args.rank_count = 1;
    args.device = -1;
    args.config = config.c_str();
    if (api_.create(&args, &rank_) != PARITY_OK) throw std::runtime_error(api_.last_error(nullptr));
  }
  ~Observed() { api_.destroy(rank_); }
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

  void Reset() { Expect(api_.reset(rank_)); }
  void Decode(std::int32_t position, bool tapped) {
    const std::int32_t token = TokenAt(position);
    const parity_sequence sequence = {
        sizeof(parity_sequence), 0, static_cast<std::uint64_t>(position), 1, nullptr, 0};
    const parity_step step = {sizeof(parity_step), "decode", "run",    1, &token,
                              &position,           1,        &sequence};
    Expect(api_.stage(rank_, &step));
    const auto ops = static_cast<std::uint32_t>(taps_.size());
    Expect(tapped ? api_.run_tapped(rank_, "decode", taps_.data(), ops, Look, nullptr)
                  : api_.run(rank_, "decode", 0, ops));
  }
  std::size_t cuts() const { return taps_.size(); }

 private:
  static parity_status Look(void*, std::uint32_t, const parity_region*) { return PARITY_OK; }

  void FindTaps(const json& description) {
    for (const json& op : description.at("programs").at(0).at("ops")) {
      const json& updates = op.at("updates");
      names_.push_back((updates.empty() ? op.at("writes") : updates).at(0).get<std::string>());
    }
    for (std::uint32_t op = 0; op < names_.size(); ++op) {
      taps_.push_back({sizeof(parity_tap), PARITY_BUFFER, op, names_[op].c_str()});
    }
  }
  void Expect(parity_status status) const {
    if (status != PARITY_OK) throw std::runtime_error(api_.last_error(rank_));
  }

  Plugin plugin_{PARITY_LLAMA_CPP};
  const parity_engine_api& api_ = plugin_.Find("llama_cpp");
  parity_rank* rank_ = nullptr;
  std::vector<std::string> names_;
  std::vector<parity_tap> taps_;
};

template <typename Decode>
void DecodeAll(benchmark::State& state, const Decode& decode) {
  for (auto _ : state) {
    for (std::int32_t position = 0; position < kTokens; ++position) decode(position);
  }
  state.counters["tokens_a_second"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * kTokens, benchmark::Counter::kIsRate);
}

void Register(Alone* alone, Observed* observed) {
  benchmark::RegisterBenchmark("llama_cpp_alone", [alone](benchmark::State& state) {
    DecodeAll(state, [&](std::int32_t position) {
      if (position == 0) alone->Reset();
      alone->Decode(position);
    });
  });
  for (const bool tapped : {false, true}) {
    const std::string name =
        tapped ? "shown/" + std::to_string(observed->cuts()) + "_cuts" : "asked_for_nothing";
    benchmark::RegisterBenchmark(name.c_str(), [observed, tapped](benchmark::State& state) {
      DecodeAll(state, [&](std::int32_t position) {
        if (position == 0) observed->Reset();
        observed->Decode(position, tapped);
      });
    });
  }
}

// Takes the argument out, as benchmark::Initialize does its own.
std::string TakeModel(int* argc, char** argv) {
  constexpr char kFlag[] = "--model=";
  std::string model = PARITY_LLAMA_MODELS "/kjv-2m.f32.gguf";
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    if (std::strncmp(argv[i], kFlag, sizeof(kFlag) - 1) == 0) {
      model = argv[i] + sizeof(kFlag) - 1;
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  return model;
}

int Main(int argc, char** argv) {
  const std::string model = TakeModel(&argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Observed observed(model);
  Alone alone(model);
  Register(&alone, &observed);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace parity

int main(int argc, char** argv) {
  try {
    return parity::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "llama_cpp_bench: %s\n", error.what());
    return 1;
  }
}
