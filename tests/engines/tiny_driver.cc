#include "tests/engines/tiny_driver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "gtest_parity/engine/collective.h"

namespace parity {
namespace {

using nlohmann::json;

constexpr std::size_t kPageTokens = 16;
constexpr std::int32_t kPages = 128;

double LogSum(const float* row, std::size_t columns) {
  const double most = *std::max_element(row, row + columns);
  double sum = 0;
  for (std::size_t i = 0; i < columns; ++i) sum += std::exp(row[i] - most);
  return most + std::log(sum);
}

}  // namespace

const parity_engine_api& Api(const TinyLibrary& library) {
  static std::map<std::string, std::unique_ptr<Plugin>> plugins;
  std::unique_ptr<Plugin>& plugin = plugins[library.path];
  if (!plugin) plugin = std::make_unique<Plugin>(library.path);
  return plugin->Find(library.engine);
}

std::string ModelDirectory() { return std::string(PARITY_SOURCE_DIR) + "/manifests/tiny/model"; }

std::string Config(const std::string& dtype, const json& mutant) {
  json config = {{"model", ModelDirectory()}, {"dtype", dtype}};
  if (!mutant.is_null()) config["mutant"] = mutant;
  return config.dump();
}

TinySession::TinySession(Rank& rank, const json& description, std::uint32_t index,
                         std::uint64_t page_seed)
    : rank_(rank), description_(description), index_(index), free_pages_(kPages) {
  std::iota(free_pages_.begin(), free_pages_.end(), 0);
  std::mt19937_64 random(page_seed);
  std::shuffle(free_pages_.begin(), free_pages_.end(), random);
}

void TinySession::Stage(const std::string& program, const std::vector<Part>& parts,
                        const std::string& run) {
  Tokens tokens, positions;
  std::vector<parity_sequence> sequences;
  for (const Part& part : parts) {
    Sequence& sequence = sequences_[part.slot];
    const std::uint64_t past = sequence.length;
    for (const std::int32_t token : part.tokens) {
      tokens.push_back(token);
      positions.push_back(static_cast<std::int32_t>(sequence.length++));
    }
    while (sequence.pages.size() * kPageTokens < sequence.length) {
      sequence.pages.push_back(free_pages_.back());
      free_pages_.pop_back();
    }
    sequences.push_back({sizeof(parity_sequence), part.slot, past, part.tokens.size(),
                         sequence.pages.data(), sequence.pages.size()});
  }
  rank_.Stage({sizeof(parity_step), program.c_str(), run.c_str(), tokens.size(), tokens.data(),
               positions.data(), sequences.size(), sequences.data()});
}

void TinySession::Step(const std::string& program, const std::vector<Part>& parts,
                       const std::string& run) {
  Stage(program, parts, run);
  RunOps(program, 0, static_cast<std::uint32_t>(Ops(program).size()));
}

std::vector<std::vector<float>> TinySession::Prefill(const std::vector<Tokens>& prompts,
                                                     std::uint64_t chunk) {
  std::vector<std::vector<float>> logits(prompts.size());
  for (std::size_t begin = 0;; begin += chunk) {
    std::vector<Part> parts;
    for (std::uint32_t slot = 0; slot < prompts.size(); ++slot) {
      const Tokens& prompt = prompts[slot];
      if (begin >= prompt.size()) continue;
      const std::size_t end = std::min<std::size_t>(begin + chunk, prompt.size());
      parts.push_back({slot, Tokens(prompt.begin() + begin, prompt.begin() + end)});
    }
    if (parts.empty()) return logits;
    Step("prefill", parts, "prefill#" + std::to_string(begin / chunk));
    const std::vector<float> rows = Floats("logits");
    const std::size_t columns = rows.size() / Ints("tokens").size();
    auto from = rows.begin();
    for (const Part& part : parts) {
      const auto to = from + static_cast<std::ptrdiff_t>(part.tokens.size() * columns);
      logits[part.slot].insert(logits[part.slot].end(), from, to);
      from = to;
    }
  }
}

const json& TinySession::Ops(const std::string& program) const {
  for (const json& entry : description_["programs"]) {
    if (entry["name"] == program) return entry["ops"];
  }
  throw std::runtime_error("no program " + program);
}

void TinySession::RunOps(const std::string& program, std::uint32_t lo, std::uint32_t hi) {
  rank_.Run(program, lo, hi);
}

parity_region TinySession::Region(const std::string& operand) {
  const std::string tensor = operand.substr(0, operand.find('/'));
  const bool state = description_["states"].contains(tensor);
  return rank_.Region(state ? PARITY_STATE : PARITY_BUFFER, tensor);
}

std::string TinySession::Bytes(const std::string& tensor) {
  const parity_region region = Region(tensor);
  return {static_cast<const char*>(region.data), region.live_bytes};
}

void TinySession::SetBytes(const std::string& tensor, const std::string& bytes) {
  std::memcpy(Region(tensor).data, bytes.data(), bytes.size());
}

std::vector<float> TinySession::Floats(const std::string& tensor) {
  const parity_region region = Region(tensor);
  const char* group = description_["states"].contains(tensor) ? "states" : "buffers";
  if (description_[group][tensor]["dtype"] == "f32") {
    const auto* data = static_cast<const float*>(region.data);
    return {data, data + region.live_bytes / sizeof(float)};
  }
  std::vector<float> values(region.live_bytes / sizeof(std::uint16_t));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = static_cast<const std::uint16_t*>(region.data)[i];
    values[i] = std::bit_cast<float>(bits << 16);
  }
  return values;
}

std::vector<std::int32_t> TinySession::Ints(const std::string& tensor) {
  const parity_region region = Region(tensor);
  const auto* data = static_cast<const std::int32_t*>(region.data);
  return {data, data + region.live_bytes / sizeof(std::int32_t)};
}

std::vector<std::string> TinySession::Tensors() const {
  std::vector<std::string> names;
  for (const auto& [name, buffer] : description_["buffers"].items()) {
    if (buffer.value("role", "") != "constant") names.push_back(name);
  }
  for (const auto& [name, state] : description_["states"].items()) names.push_back(name);
  return names;
}

void ForRanks(const TinyRun& run, const std::function<void(TinySession&)>& body) {
  const parity_engine_api& api = Api(run.library);
  const json description = json::parse(DescribeEngine(api, run.config));
  ThreadCollective collective(run.ranks);
  std::vector<std::exception_ptr> thrown(run.ranks);
  const auto work = [&](std::uint32_t index) {
    try {
      parity_create_args args = {sizeof(parity_create_args)};
      args.rank = index;
      args.rank_count = run.ranks;
      args.device = -1;
      args.config = run.config.c_str();
      args.collective = collective.ForRank(index);
      Rank rank(api, args);
      TinySession session(rank, description, index, run.page_seed);
      body(session);
    } catch (...) {
      thrown[index] = std::current_exception();
      collective.Cancel();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t index = 0; index < run.ranks; ++index) threads.emplace_back(work, index);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

std::vector<Prompt> Prompts() {
  std::ifstream file(ModelDirectory() + "/prompts.jsonl");
  std::vector<Prompt> prompts;
  for (std::string line; std::getline(file, line);) {
    const json entry = json::parse(line);
    prompts.push_back({entry["tokens"], entry["greedy_f32"], entry["nll_f32"]});
  }
  if (prompts.empty()) throw std::runtime_error("no prompts in " + ModelDirectory());
  return prompts;
}

std::vector<Tokens> RaggedPrompts() {
  std::vector<Tokens> ragged;
  const std::vector<Prompt> prompts = Prompts();
  for (const std::size_t length : {7, 14, 45}) {
    const Prompt* longest = nullptr;
    for (const Prompt& prompt : prompts) {
      if (prompt.tokens.size() >= length) longest = &prompt;
    }
    ragged.emplace_back(longest->tokens.begin(), longest->tokens.begin() + length);
  }
  return ragged;
}

void RaggedWorkload(TinySession& session, int decode_steps,
                    const std::function<void(const std::string& program)>& run) {
  const std::vector<Tokens> prompts = RaggedPrompts();
  std::map<std::uint32_t, std::int32_t> next;
  for (std::size_t begin = 0; next.size() < prompts.size(); begin += kPageTokens) {
    std::vector<Part> parts;
    for (std::uint32_t slot = 0; slot < prompts.size(); ++slot) {
      const Tokens& prompt = prompts[slot];
      if (begin >= prompt.size()) continue;
      const std::size_t end = std::min(begin + kPageTokens, prompt.size());
      parts.push_back({slot, Tokens(prompt.begin() + begin, prompt.begin() + end)});
    }
    session.Stage("prefill", parts, "prefill#" + std::to_string(begin / kPageTokens));
    run("prefill");
    const std::vector<std::int32_t> best = session.Ints("next_token");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool ended = begin + kPageTokens >= prompts[parts[i].slot].size();
      if (ended) next[parts[i].slot] = best[i];
    }
  }
  for (int step = 0; step < decode_steps; ++step) {
    std::vector<Part> parts;
    for (const auto& [slot, token] : next) parts.push_back({slot, {token}});
    session.Stage("decode", parts, "decode#" + std::to_string(step));
    run("decode");
    const std::vector<std::int32_t> best = session.Ints("next_token");
    for (std::uint32_t slot = 0; slot < best.size(); ++slot) next[slot] = best[slot];
  }
}

std::int32_t Best(const float* row, std::size_t columns) {
  return static_cast<std::int32_t>(std::max_element(row, row + columns) - row);
}

double Divergence(const float* a, const float* b, std::size_t columns) {
  for (std::size_t i = 0; i < columns; ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) return std::numeric_limits<double>::infinity();
  }
  const double log_a = LogSum(a, columns), log_b = LogSum(b, columns);
  double sum = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    sum += std::exp(a[i] - log_a) * ((a[i] - log_a) - (b[i] - log_b));
  }
  return sum;
}

}  // namespace parity
