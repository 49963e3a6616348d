#include "tests/engines/llama_cpp/llama_driver.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/engine/plugin.h"

namespace parity {
namespace {

using nlohmann::json;

using Visit = std::function<void(std::uint32_t, float*, std::size_t)>;

parity_status OnTap(void* user, std::uint32_t tap, const parity_region* region) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region->data) % 64, 0u);
  EXPECT_EQ(region->memory, static_cast<std::uint32_t>(PARITY_MEMORY_HOST));
  try {
    (*static_cast<const Visit*>(user))(tap, static_cast<float*>(region->data),
                                       region->live_bytes / sizeof(float));
    return PARITY_OK;
  } catch (const std::exception&) {
    return PARITY_FAILED;
  }
}

}  // namespace

const parity_engine_api& LlamaApi() {
  static const Plugin plugin(PARITY_LLAMA_CPP);
  return plugin.Find("llama_cpp");
}

std::string LlamaModel(const std::string& name) {
  return std::string(PARITY_LLAMA_MODELS) + "/" + name + ".gguf";
}

std::string LlamaConfig(const json& over) {
  json config = {{"model", LlamaModel()}, {"context", 128}, {"sequences", 4}};
  config.update(over);
  return config.dump();
}

LlamaRank::LlamaRank(const json& over) : api_(LlamaApi()) {
  const std::string config = LlamaConfig(over);
  description_ = json::parse(DescribeEngine(api_, config));
  for (const json& op : description_["programs"][0]["ops"]) {
    const json& updates = op["updates"];
    buffers_.push_back((updates.empty() ? op["writes"] : updates)[0].get<std::string>());
  }
  parity_create_args args{};
  args.struct_size = sizeof(args);
  args.rank_count = 1;
  args.device = -1;
  args.config = config.c_str();
  const parity_status status = api_.create(&args, &rank_);
  if (status != PARITY_OK) throw EngineError(status, api_.last_error(nullptr));
}

LlamaRank::~LlamaRank() { api_.destroy(rank_); }

parity_status LlamaRank::Stage(const std::string& program, const std::vector<Part>& parts) {
  Tokens tokens, positions;
  std::vector<parity_sequence> sequences;
  for (const Part& part : parts) {
    const std::uint64_t past = lengths_[part.slot];
    sequences.push_back({sizeof(parity_sequence), part.slot, past, part.tokens.size(), nullptr, 0});
    for (std::size_t i = 0; i < part.tokens.size(); ++i) {
      tokens.push_back(part.tokens[i]);
      positions.push_back(static_cast<std::int32_t>(past + i));
    }
  }
  const parity_step step = {sizeof(parity_step), program.c_str(), "run",
                            tokens.size(),       tokens.data(),   positions.data(),
                            sequences.size(),    sequences.data()};
  const parity_status status = api_.stage(rank_, &step);
  if (status != PARITY_OK) return status;
  for (const Part& part : parts) lengths_[part.slot] += part.tokens.size();
  return status;
}

parity_status LlamaRank::Run(const std::string& program) {
  return api_.run(rank_, program.c_str(), 0, static_cast<std::uint32_t>(buffers_.size()));
}

std::vector<parity_tap> LlamaRank::AllTaps() const {
  std::vector<parity_tap> taps;
  for (std::uint32_t op = 0; op < buffers_.size(); ++op) {
    taps.push_back({sizeof(parity_tap), PARITY_BUFFER, op, buffers_[op].c_str()});
  }
  return taps;
}

parity_status LlamaRank::RunTapped(const std::string& program, const Visit& visit) {
  const std::vector<parity_tap> taps = AllTaps();
  Visit visiting = visit;
  return api_.run_tapped(rank_, program.c_str(), taps.data(),
                         static_cast<std::uint32_t>(taps.size()), OnTap, &visiting);
}

Values LlamaRank::Step(const std::string& program, const std::vector<Part>& parts) {
  EXPECT_EQ(Stage(program, parts), PARITY_OK) << Error();
  EXPECT_EQ(Run(program), PARITY_OK) << Error();
  return Logits();
}

std::vector<Values> LlamaRank::Seen(const std::string& program, const std::vector<Part>& parts) {
  std::vector<Values> seen(buffers_.size());
  EXPECT_EQ(Stage(program, parts), PARITY_OK) << Error();
  const parity_status status =
      RunTapped(program, [&](std::uint32_t op, float* values, std::size_t count) {
        seen[op].assign(values, values + count);
      });
  EXPECT_EQ(status, PARITY_OK) << Error();
  return seen;
}

Values LlamaRank::Logits() {
  parity_region region{};
  region.struct_size = sizeof(region);
  if (api_.region(rank_, PARITY_BUFFER, "logits", &region) != PARITY_OK) {
    ADD_FAILURE() << Error();
    return {};
  }
  const auto* logits = static_cast<const float*>(region.data);
  return {logits, logits + region.live_bytes / sizeof(float)};
}

parity_status LlamaRank::Save(std::uint32_t slot, const std::string& path) {
  return api_.save_state(rank_, slot, path.c_str());
}

parity_status LlamaRank::Load(std::uint32_t slot, const std::string& path) {
  std::uint64_t tokens = 0;
  const parity_status status = api_.load_state(rank_, slot, path.c_str(), &tokens);
  lengths_[slot] = tokens;
  return status;
}

void LlamaRank::Reset() {
  EXPECT_EQ(api_.reset(rank_), PARITY_OK) << Error();
  lengths_.clear();
}

std::uint32_t LlamaRank::OpOf(const std::string& label) const {
  const json& ops = description_["programs"][0]["ops"];
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (ops[i]["label"] == label) return i;
  }
  throw std::runtime_error("no op " + label);
}

std::string LlamaRank::Refusal() const {
  parity_refusal refusal{};
  refusal.struct_size = sizeof(refusal);
  if (api_.refusal(rank_, &refusal) != PARITY_OK) return "";
  return std::string(refusal.guard) + ": " + refusal.condition;
}

json LlamaRank::Counters() {
  const char* text = nullptr;
  EXPECT_EQ(api_.counters(rank_, &text), PARITY_OK) << Error();
  return json::parse(text);
}

std::string LlamaErrorOf(const json& over) {
  try {
    const LlamaRank rank(over);
  } catch (const EngineError& error) {
    return std::string(NameOf(error.status())) + ": " + error.what();
  }
  return "";
}

}  // namespace parity
