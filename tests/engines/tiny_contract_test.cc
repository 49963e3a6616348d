// The C ABI as engine.h has it: errors, refusals, regions, progress, cancel, reset, counters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "gtest_parity/engine/error.h"
#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr TinyLibrary kLibraries[] = {kPaged, kPorted, kFused, kRebuilt};

struct BadConfig {
  std::string text;
  std::string words;
};

TEST(TinyContract, BadConfigurationsAreExplained) {
  const std::string model = "\"model\": \"" + ModelDirectory() + "\"";
  const BadConfig cases[] = {
      {"[1]", "not a JSON object"},
      {"{", "not a JSON object"},
      {"{}", "config.model is missing"},
      {R"({"model": 3})", "expected a string"},
      {R"({"model": "/nowhere"})", "/nowhere/config.json: cannot be opened"},
      {"{" + model + R"(, "dtype": "f16"})", "unknown dtype \"f16\", known are f32, bf16"},
      {"{" + model + R"(, "dtyp": "f32"})", "unknown key \"dtyp\", known are model, dtype, mutant"},
      {"{" + model + R"(, "mutant": "drift"})", "expected an object"},
      {"{" + model + R"(, "mutant": {}})", "config.mutant.name is missing"},
      {"{" + model + R"(, "mutant": {"name": "drifty"}})", "unknown mutant \"drifty\""},
      {"{" + model + R"(, "mutant": {"name": "ulp", "lane": 1}})", "unknown key \"lane\""},
  };
  for (const TinyLibrary& library : kLibraries) {
    const parity_engine_api& api = Api(library);
    for (const BadConfig& bad : cases) {
      const char* text = nullptr;
      EXPECT_EQ(api.describe(bad.text.c_str(), &text), PARITY_INVALID) << bad.text;
      EXPECT_THAT(api.last_error(nullptr), HasSubstr(bad.words));
      parity_create_args args = {sizeof(parity_create_args)};
      args.rank_count = 1;
      args.config = bad.text.c_str();
      parity_rank* rank = nullptr;
      EXPECT_EQ(api.create(&args, &rank), PARITY_INVALID) << bad.text;
      EXPECT_THAT(api.last_error(nullptr), HasSubstr(bad.words));
    }
  }
}

std::string DescribeError(const TinyLibrary& library, const json& mutant) {
  const char* text = nullptr;
  EXPECT_EQ(Api(library).describe(Config("f32", mutant).c_str(), &text), PARITY_INVALID);
  return Api(library).last_error(nullptr);
}

TEST(TinyContract, MutantsMustHaveAPlace) {
  EXPECT_THAT(DescribeError(kPorted, {{"name", "ulp"}, {"layer", 3}}), HasSubstr("0 to 2"));
  EXPECT_THAT(DescribeError(kPorted, {{"name", "ulp"}, {"label", "layer0.qkv"}}),
              HasSubstr("engine \"ported\" has no op \"layer0.qkv\""));
  EXPECT_THAT(DescribeError(kFused, {{"name", "ulp"}, {"program", "verify"}}),
              HasSubstr("no program \"verify\""));
  EXPECT_THAT(DescribeError(kPaged, {{"name", "drift"}}),
              AllOf(HasSubstr("unknown mutant"), HasSubstr("noisy_batched")));
  EXPECT_THAT(DescribeError(kFused, {{"name", "noisy"}}),
              AllOf(HasSubstr("unknown mutant"), HasSubstr("stale_page")));
}

TEST(TinyContract, RanksMustDivideTheHeads) {
  for (const TinyLibrary& library : kLibraries) {
    const auto error = [&](std::uint32_t rank, std::uint32_t count) -> std::string {
      const std::string config = Config();
      parity_create_args args = {sizeof(parity_create_args)};
      args.rank = rank;
      args.rank_count = count;
      args.config = config.c_str();
      parity_rank* out = nullptr;
      EXPECT_EQ(Api(library).create(&args, &out), PARITY_INVALID);
      return Api(library).last_error(nullptr);
    };
    EXPECT_THAT(error(0, 4), HasSubstr("rank_count is 4, which does not divide the model's 2 KV"));
    EXPECT_THAT(error(0, 3), HasSubstr("rank_count is 3"));
    EXPECT_THAT(error(0, 0), HasSubstr("rank 0 of 0"));
    EXPECT_THAT(error(2, 2), HasSubstr("rank 2 of 2"));
    EXPECT_THAT(error(0, 2), HasSubstr("no collective"));
  }
}

// A rank through the bare C functions.
class BareRank {
 public:
  explicit BareRank(const TinyLibrary& library, const parity_collective* collective = nullptr)
      : api_(Api(library)), config_(Config()) {
    parity_create_args args = {sizeof(parity_create_args)};
    args.rank_count = collective == nullptr ? 1 : 2;
    args.config = config_.c_str();
    args.collective = collective;
    args.progress = &progress;
    if (api_.create(&args, &rank) != PARITY_OK) throw std::runtime_error(api_.last_error(nullptr));
  }
  ~BareRank() { api_.destroy(rank); }
  BareRank(const BareRank&) = delete;
  BareRank& operator=(const BareRank&) = delete;

  // One sequence of `rows` tokens after `past`.
  parity_status Stage(std::uint64_t past, std::vector<std::int32_t> tokens,
                      std::vector<std::int32_t> pages, std::uint32_t slot = 0,
                      const char* program = "prefill") {
    std::vector<std::int32_t> positions;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      positions.push_back(static_cast<std::int32_t>(past + i + shift));
    }
    const parity_sequence sequence = {sizeof(parity_sequence), slot,         past,
                                      tokens.size(),           pages.data(), pages.size()};
    const parity_step step = {sizeof(parity_step), program,          nullptr, tokens.size(),
                              tokens.data(),       positions.data(), 1,       &sequence};
    return api_.stage(rank, &step);
  }
  std::string Error() const { return api_.last_error(rank); }

  const parity_engine_api& api_;
  const std::string config_;
  volatile std::uint64_t progress = 0;
  std::uint64_t shift = 0;  // of positions
  parity_rank* rank = nullptr;
};

TEST(TinyContract, BadStepsAreExplained) {
  for (const TinyLibrary& library : kLibraries) {
    BareRank rank(library);
    const Tokens twenty(20, 7);
    EXPECT_EQ(rank.Stage(0, twenty, {3, 1}), PARITY_OK);
    EXPECT_EQ(rank.Stage(0, {}, {3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("step.rows is 0, expected 1 to 256"));
    EXPECT_EQ(rank.Stage(0, Tokens(257, 1), {3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("step.rows is 257"));
    EXPECT_EQ(rank.Stage(0, {5, 1024}, {3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("step.tokens[1] is 1024, expected 0 to 1023"));
    EXPECT_EQ(rank.Stage(0, {-1}, {3}), PARITY_INVALID);
    EXPECT_EQ(rank.Stage(0, twenty, {3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("page_count is 1, expected 2 to 128"));
    EXPECT_EQ(rank.Stage(0, {5}, {128}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("pages[0] is 128, expected 0 to 127"));
    EXPECT_EQ(rank.Stage(0, twenty, {3, 3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("another entry already holds"));
    EXPECT_EQ(rank.Stage(0, {5}, {3}, 8), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("slot is 8, expected 0 to 7"));
    EXPECT_EQ(rank.Stage(0, {5}, {3}, 0, "verify"), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("step.program is \"verify\", known are prefill, decode"));
    EXPECT_EQ(rank.Stage(0, {5}, {3}, 0, "setup"), PARITY_INVALID);
    rank.shift = 1;
    EXPECT_EQ(rank.Stage(4, {5}, {3}), PARITY_INVALID);
    EXPECT_THAT(rank.Error(), HasSubstr("step.positions[0] is 5, expected 4"));
  }
}

TEST(TinyContract, ContextLimitIsARefusal) {
  BareRank rank(kPaged);
  parity_refusal refusal = {sizeof(parity_refusal)};
  EXPECT_EQ(rank.api_.refusal(rank.rank, &refusal), PARITY_INVALID);
  EXPECT_EQ(rank.Stage(2040, Tokens(9, 7), {3}), PARITY_REFUSED);
  EXPECT_THAT(rank.Error(), HasSubstr("context of 2048"));
  ASSERT_EQ(rank.api_.refusal(rank.rank, &refusal), PARITY_OK);
  EXPECT_STREQ(refusal.guard, "context_limit");
  EXPECT_STREQ(refusal.condition, "past + rows <= context");
  EXPECT_EQ(json::parse(refusal.operands), (json{{"past", 2040}, {"rows", 9}, {"context", 2048}}));
}

TEST(TinyContract, RunsAreChecked) {
  BareRank rank(kPaged);
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 0, 1), PARITY_INVALID);
  EXPECT_THAT(rank.Error(), HasSubstr("staged step is for \"\""));
  ASSERT_EQ(rank.Stage(0, {5}, {3}), PARITY_OK);
  EXPECT_EQ(rank.api_.run(rank.rank, "decode", 0, 1), PARITY_INVALID);
  EXPECT_EQ(rank.api_.run(rank.rank, "verify", 0, 1), PARITY_INVALID);
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 1, 0), PARITY_INVALID);
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 0, 57), PARITY_INVALID);
  EXPECT_THAT(rank.Error(), HasSubstr("which has 56"));
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 0, 56), PARITY_OK);
}

TEST(TinyContract, RegionsAreAlignedAndLive) {
  std::vector<TinyLibrary> libraries(std::begin(kLibraries), std::end(kLibraries));
  libraries.push_back(kContiguous);
  for (const TinyLibrary& library : libraries) {
    ForRanks({.library = library, .ranks = 2}, [](TinySession& session) {
      session.Step("prefill", {{0, {0, 5, 9}}, {4, {0}}});
      for (const char* group : {"buffers", "states"}) {
        for (const auto& [name, tensor] : session.description()[group].items()) {
          const parity_region region = session.Region(name);
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.data) % 64, 0u);
          EXPECT_EQ(region.memory, static_cast<std::uint32_t>(PARITY_MEMORY_HOST));
          EXPECT_EQ(region.device, -1);
          std::uint64_t bytes = tensor["dtype"] == "bf16" ? 2 : 4;
          for (const json& dim : tensor["shape"]) {
            const std::string text = dim.is_string() ? dim.get<std::string>() : "";
            if (dim.is_number()) bytes *= dim.get<std::uint64_t>();
            if (text == "rows") bytes *= 4;
            if (text == "seqs") bytes *= 2;
            if (text.find("/ranks") != text.npos) bytes *= std::stoull(text) / 2;
          }
          EXPECT_EQ(region.live_bytes, bytes) << name;
        }
      }
      EXPECT_THROW(session.rank().Region(PARITY_BUFFER, "layer0.k"), EngineError);
      EXPECT_THROW(session.rank().Region(PARITY_STATE, "q"), EngineError);
    });
  }
}

// Sums nothing, but looks at the progress word and cancels when told to.
struct Watcher {
  BareRank* rank = nullptr;
  std::vector<std::uint64_t> seen;
  bool cancel = false;
  parity_status result = PARITY_OK;

  static parity_status AllReduce(void* context, parity_dtype, void*, std::uint64_t) {
    auto* self = static_cast<Watcher*>(context);
    const std::uint64_t progress = self->rank->progress;
    self->seen.push_back(progress);
    if (self->cancel) self->rank->api_.cancel(self->rank->rank);
    return self->result;
  }
};

TEST(TinyContract, ProgressCancelAndFailingCollectives) {
  Watcher watcher;
  parity_collective collective = {sizeof(parity_collective)};
  collective.rank_count = 2;
  collective.context = &watcher;
  collective.all_reduce_sum = Watcher::AllReduce;
  BareRank rank(kPaged, &collective);
  watcher.rank = &rank;
  ASSERT_EQ(rank.Stage(0, {5, 6}, {3}), PARITY_OK);
  ASSERT_EQ(rank.api_.run(rank.rank, "prefill", 0, 56), PARITY_OK);
  // embed, rope_rows, then 17 ops a layer, of which the 9th and the 16th sum over ranks; from 1.
  EXPECT_EQ(watcher.seen, (std::vector<std::uint64_t>{11, 18, 28, 35, 45, 52}));
  EXPECT_EQ(rank.progress, 0u);

  watcher.cancel = true;
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 0, 56), PARITY_CANCELLED);
  EXPECT_THAT(rank.Error(), HasSubstr("cancelled before op layer0.attn_residual"));
  EXPECT_EQ(rank.progress, 0u);

  watcher.cancel = false;
  watcher.result = PARITY_CANCELLED;
  EXPECT_EQ(rank.api_.run(rank.rank, "prefill", 0, 56), PARITY_CANCELLED);
  EXPECT_THAT(rank.Error(), HasSubstr("layer0.o_reduce"));
}

TEST(TinyContract, ResetIsAsCreated) {
  for (const TinyLibrary& library : kLibraries) {
    ForRanks({.library = library}, [](TinySession& session) {
      const auto fresh = [&] {
        std::map<std::string, std::string> contents;
        for (const auto& [name, state] : session.description()["states"].items()) {
          contents[name] = session.Bytes(name);
        }
        for (const char* carry : {"rope_cos", "rope_sin"}) contents[carry] = session.Bytes(carry);
        return contents;
      };
      const auto before = fresh();
      session.Step("prefill", {{0, {0, 5, 9}}});
      session.SetBytes("rope_cos", std::string(64, 'x'));
      EXPECT_NE(fresh(), before);
      session.rank().Reset();
      EXPECT_EQ(fresh(), before);
      EXPECT_THROW(session.RunOps("prefill", 0, 1), EngineError);
    });
  }
}

TEST(TinyContract, CountersCount) {
  BareRank rank(kFused);
  ASSERT_EQ(rank.Stage(0, {5, 6, 7}, {3}), PARITY_OK);
  ASSERT_EQ(rank.api_.run(rank.rank, "prefill", 0, 1), PARITY_OK);
  ASSERT_EQ(rank.api_.run(rank.rank, "prefill", 1, 38), PARITY_OK);
  const char* text = nullptr;
  ASSERT_EQ(rank.api_.counters(rank.rank, &text), PARITY_OK);
  EXPECT_EQ(json::parse(text), (json{{"tokens", 3}, {"runs", 2}}));
}

TEST(TinyContract, DescriptionsAreOfTheSameThings) {
  const json paged = json::parse(DescribeEngine(Api(kPaged), Config()));
  const json ported = json::parse(DescribeEngine(Api(kPorted), Config()));
  const json fused = json::parse(DescribeEngine(Api(kFused), Config("bf16")));
  EXPECT_EQ(paged["parity_description"], 1);
  EXPECT_EQ(
      paged["vars"],
      (json{{"rows", {{"max", 256}}}, {"seqs", {{"max", 8}}}, {"kv_tokens", {{"max", 2048}}}}));
  EXPECT_EQ(fused["vars"], (json{{"rows", {{"max", 256}}}, {"seqs", {{"max", 8}}}}));
  EXPECT_EQ(paged["paging"], (json{{"page_tokens", 16}, {"page_count", 128}}));
  EXPECT_EQ(paged["context"], 2048);
  EXPECT_EQ(
      paged["states"]["layer2.v"],
      (json{{"dtype", "f32"},
            {"shape", {128, 16, "2/ranks", 64}},
            {"paged", true},
            {"views",
             {{"layer2.v",
               {{"dtype", "f32"}, {"shape", {"kv_tokens", "2/ranks", 64}}, {"by", "engine"}}}}}}));
  EXPECT_EQ(paged["buffers"]["tokens"], (json{{"dtype", "i32"},
                                              {"shape", {"rows"}},
                                              {"replicated", true},
                                              {"role", "input"},
                                              {"domain", {{"min", 0}, {"max", 1023}}}}));
  EXPECT_EQ(paged["buffers"]["q"], (json{{"dtype", "f32"}, {"shape", {"rows", "256/ranks"}}}));
  EXPECT_EQ(paged["buffers"]["logits"]["role"], "logits");
  EXPECT_EQ(paged["programs"], ported["programs"]);
  EXPECT_EQ(paged["buffers"], ported["buffers"]);
  EXPECT_EQ(fused["engine"], "fused");
  EXPECT_EQ(fused["states"]["layer0.k"]["dtype"], "bf16");
  EXPECT_EQ(fused["buffers"]["partial"]["dtype"], "f32");
  EXPECT_EQ(fused["buffers"]["h"]["dtype"], "bf16");
  EXPECT_FALSE(fused["buffers"].contains("gate"));
  EXPECT_EQ(DescribeEngine(Api(kPorted), Config("f32", {{"name", "drift"}})),
            DescribeEngine(Api(kPorted), Config()));
}

}  // namespace
}  // namespace parity
