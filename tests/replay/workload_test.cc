#include "gtest_parity/replay/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

WorkloadOptions Options() {
  WorkloadOptions options;
  options.batches = {1, 3};
  return options;
}

bool SameTokens(const Workload& a, const Workload& b) {
  if (a.runs.size() != b.runs.size()) return false;
  for (std::size_t i = 0; i < a.runs.size(); ++i) {
    if (a.runs[i].name != b.runs[i].name) return false;
    for (std::size_t k = 0; k < a.runs[i].sequences.size(); ++k) {
      if (a.runs[i].sequences[k].tokens != b.runs[i].sequences[k].tokens) return false;
    }
  }
  return true;
}

TEST(Workload, DependsOnTheSeedAndNothingElse) {
  WorkloadOptions options = Options();
  const Workload first = MakeWorkload(options, SmallEngine());
  EXPECT_TRUE(SameTokens(first, MakeWorkload(options, SmallEngine())));
  options.seed += 1;
  const Workload other = MakeWorkload(options, SmallEngine());
  EXPECT_EQ(first.runs.size(), other.runs.size());
  EXPECT_FALSE(SameTokens(first, other));
}

// What any workload must be, whatever the options.
struct Shape {
  std::uint64_t chunk, decode_steps, page;
  std::vector<std::uint64_t> batches;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << "chunk " << shape.chunk << ", decode " << shape.decode_steps << ", page " << shape.page;
}

class WorkloadShape : public testing::TestWithParam<Shape> {
 protected:
  WorkloadShape() {
    options_.chunk = GetParam().chunk;
    options_.decode_steps = GetParam().decode_steps;
    options_.batches = GetParam().batches;
    engine_ = SmallEngine();
    engine_.paging = Paging{GetParam().page, 1024};
    workload_ = MakeWorkload(options_, engine_);
  }
  // Runs by scenario, in order.
  std::map<std::string, std::vector<const WorkloadRun*>> Scenarios() const {
    std::map<std::string, std::vector<const WorkloadRun*>> scenarios;
    for (const WorkloadRun& run : workload_.runs) scenarios[run.scenario].push_back(&run);
    return scenarios;
  }

  WorkloadOptions options_;
  Description engine_;
  Workload workload_;
};

INSTANTIATE_TEST_SUITE_P(Shapes, WorkloadShape,
                         testing::Values(Shape{16, 16, 16, {1, 3}}, Shape{16, 16, 16, {8}},
                                         Shape{8, 4, 16, {1, 2, 5}}, Shape{5, 1, 16, {2}},
                                         Shape{1, 3, 4, {3}}, Shape{16, 40, 8, {4}},
                                         Shape{3, 2, 64, {3}}, Shape{7, 20, 1, {3}},
                                         Shape{16, 0, 16, {1, 3}}));

TEST_P(WorkloadShape, ScenariosAreWholeAndInOrder) {
  const auto scenarios = Scenarios();
  EXPECT_EQ(scenarios.size(), 2 * options_.batches.size());
  std::set<std::string> names;
  for (const auto& [name, runs] : scenarios) {
    EXPECT_TRUE(runs.front()->first_of_scenario);
    EXPECT_TRUE(runs.back()->last_of_scenario);
    std::uint64_t decodes = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      EXPECT_EQ(runs[i], runs.front() + i) << "runs of a scenario lie together";
      EXPECT_EQ(runs[i]->first_of_scenario, i == 0);
      EXPECT_EQ(runs[i]->last_of_scenario, i + 1 == runs.size());
      EXPECT_TRUE(names.insert(runs[i]->name).second) << runs[i]->name;
      EXPECT_THAT(runs[i]->name, HasSubstr(name + "/" + runs[i]->program + "#"));
      if (runs[i]->program == "decode") ++decodes;
    }
    EXPECT_EQ(decodes, options_.decode_steps);
  }
}

TEST_P(WorkloadShape, EverySequenceGoesOnWhereItWas) {
  for (const auto& [name, runs] : Scenarios()) {
    std::map<std::uint32_t, std::uint64_t> lengths;
    for (const WorkloadRun* run : runs) {
      std::set<std::uint32_t> slots;
      std::uint64_t rows = 0;
      for (const WorkloadRun::Sequence& sequence : run->sequences) {
        EXPECT_TRUE(slots.insert(sequence.slot).second);
        EXPECT_EQ(sequence.past, lengths[sequence.slot]) << run->name;
        EXPECT_FALSE(sequence.tokens.empty());
        EXPECT_LE(sequence.tokens.size(), run->program == "decode" ? 1 : options_.chunk);
        EXPECT_THAT(sequence.tokens, Each(testing::AllOf(testing::Ge(0), testing::Lt(100))));
        lengths[sequence.slot] += sequence.tokens.size();
        rows += sequence.tokens.size();
      }
      EXPECT_LE(rows, engine_.var_max.at("rows"));
      const Vars vars = VarsOf(*run, 2);
      EXPECT_EQ(vars.at("rows"), rows);
      EXPECT_EQ(vars.at("seqs"), run->sequences.size());
      EXPECT_EQ(vars.at("ranks"), 2u);
    }
  }
}

TEST_P(WorkloadShape, DecodeOfEverySequenceCrossesAPageEdge) {
  if (options_.decode_steps == 0) return;
  int scenarios = 0;
  for (const auto& [name, runs] : Scenarios()) {
    if (!name.ends_with("page_edge")) continue;
    ++scenarios;
    std::map<std::uint32_t, int> crossings;
    for (const WorkloadRun* run : runs) {
      if (run->program != "decode") continue;
      for (const WorkloadRun::Sequence& sequence : run->sequences) {
        crossings[sequence.slot] += sequence.past % GetParam().page == 0;
      }
    }
    for (const auto& [slot, crossed] : crossings) EXPECT_GT(crossed, 0) << name << " " << slot;
    EXPECT_EQ(name, "b" + std::to_string(crossings.size()) + "_page_edge");
  }
  EXPECT_EQ(scenarios, static_cast<int>(options_.batches.size()));
}

TEST_P(WorkloadShape, PromptsEndAroundAChunkEdge) {
  for (const auto& [name, runs] : Scenarios()) {
    if (!name.ends_with("chunk_edge")) continue;
    std::map<std::uint32_t, std::uint64_t> lengths;
    for (const WorkloadRun* run : runs) {
      if (run->program != "prefill") continue;
      for (const auto& at : run->sequences) lengths[at.slot] += at.tokens.size();
    }
    const std::uint64_t chunk = options_.chunk;
    for (const auto& [slot, length] : lengths) {
      const std::uint64_t expected[] = {2 * chunk, chunk + 1,
                                        std::max<std::uint64_t>(1, chunk - 1)};
      EXPECT_EQ(length, expected[slot % 3]);
    }
  }
}

TEST_P(WorkloadShape, FirstLastAndEveryBoundaryAreKept) {
  const std::uint64_t page = GetParam().page;
  for (const auto& [name, runs] : Scenarios()) {
    for (const std::string program : {"prefill", "decode"}) {
      std::vector<const WorkloadRun*> of;
      for (const WorkloadRun* run : runs) {
        if (run->program == program) of.push_back(run);
      }
      if (of.empty()) continue;
      EXPECT_EQ(of.front()->kept, "first");
      EXPECT_EQ(of.back()->kept, of.size() > 1 ? "last" : "first");
      const auto goes_on = [](const WorkloadRun* run) {
        return std::any_of(run->sequences.begin(), run->sequences.end(),
                           [](const auto& at) { return at.past != 0; });
      };
      const auto first_going_on = std::find_if(of.begin(), of.end(), goes_on);
      for (std::size_t i = 1; i + 1 < of.size(); ++i) {
        bool crosses = first_going_on == of.begin() + static_cast<std::ptrdiff_t>(i);
        for (const auto& at : of[i]->sequences) {
          const std::uint64_t end = at.past + at.tokens.size();
          // Some token of this run is the first of a page, and the page is not its sequence's
          // first.
          const std::uint64_t edge = (std::max<std::uint64_t>(at.past, 1) + page - 1) / page * page;
          crosses |= edge < end;
        }
        EXPECT_EQ(of[i]->kept, crosses ? "boundary" : "") << of[i]->name;
      }
    }
  }
}

// Rows of which the program drafts three: a scenario of its own, in which the sequences go on by 1,
// 2, 3 and 4 tokens in turn, whatever an engine says.
TEST(Workload, ProgramsThatDraftHaveScenariosOfTheirOwn) {
  Description engine = SmallEngine();
  engine.programs.push_back({"speculate", false, engine.programs[0].ops, 3});
  WorkloadOptions options;
  options.batches = {2};
  options.decode_steps = 6;
  const Workload workload = MakeWorkload(options, engine);
  std::map<std::uint32_t, std::uint64_t> lengths;
  std::vector<std::uint64_t> advances;
  std::set<std::string> kept;
  for (const WorkloadRun& run : workload.runs) {
    if (run.scenario != "b2_speculate") {
      EXPECT_NE(run.program, "speculate");
      continue;
    }
    if (run.program == "prefill") {
      for (const auto& sequence : run.sequences) {
        lengths[sequence.slot] = sequence.past + sequence.tokens.size();
      }
      continue;
    }
    EXPECT_EQ(run.program, "speculate");
    if (!run.kept.empty()) kept.insert(run.kept);
    ASSERT_EQ(run.sequences.size(), 2u);
    for (const auto& sequence : run.sequences) EXPECT_EQ(sequence.tokens.size(), 4u);
    advances.push_back(run.sequences[0].past - lengths[0]);
    EXPECT_EQ(run.sequences[1].past - lengths[1], advances.back());
  }
  EXPECT_THAT(advances, ElementsAre(0, 1, 3, 6, 10, 11));
  EXPECT_THAT(kept, testing::IsSupersetOf({"first", "last"}));
  // The other scenarios are those of an engine that does not draft.
  const Workload plain = MakeWorkload(options, SmallEngine());
  ASSERT_LT(plain.runs.size(), workload.runs.size());
  for (std::size_t i = 0; i < plain.runs.size(); ++i) {
    EXPECT_EQ(plain.runs[i].name, workload.runs[i].name);
    EXPECT_EQ(plain.runs[i].sequences[0].tokens, workload.runs[i].sequences[0].tokens);
  }
  options.batches = {8};
  engine.programs.back().drafts = 40;
  EXPECT_THROW(MakeWorkload(options, engine), std::runtime_error) << "8 x 41 rows";
}

TEST(Workload, OneProgramDoesForBoth) {
  for (const std::string only : {"prefill", "decode"}) {
    Description engine = SmallEngine();
    std::erase_if(engine.programs, [&](const Program& program) { return program.name != only; });
    const Workload workload = MakeWorkload(Options(), engine);
    std::set<std::string> names;
    for (const WorkloadRun& run : workload.runs) {
      EXPECT_EQ(run.program, only);
      EXPECT_TRUE(names.insert(run.name).second) << run.name;
      // Decode takes prompts token by token.
      if (only != "decode") continue;
      for (const auto& sequence : run.sequences) EXPECT_EQ(sequence.tokens.size(), 1u);
    }
  }
}

class Prompts : public testing::Test {
 protected:
  ~Prompts() override { std::remove(path_.c_str()); }
  void Write(const std::string& text) { std::ofstream(path_) << text; }
  WorkloadOptions Options(const std::string& path) {
    WorkloadOptions options;
    options.prompts = path;
    return options;
  }
  std::string ErrorOf(const std::string& path) {
    try {
      MakeWorkload(Options(path), SmallEngine());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::string path_ = testing::TempDir() + "parity_prompts_" + std::to_string(getpid()) + ".jsonl";
};

TEST_F(Prompts, AreTakenAsTheyStand) {
  std::string line = "{\"tokens\": [";
  for (int i = 0; i < 100; ++i) {
    if (i != 0) line += ',';
    line += std::to_string(i);
  }
  Write(line + "]}\n");
  const Workload workload = MakeWorkload(Options(path_), SmallEngine());
  for (const WorkloadRun& run : workload.runs) {
    for (const auto& at : run.sequences) {
      for (std::size_t i = 0; i < at.tokens.size(); ++i) {
        EXPECT_EQ(at.tokens[i], static_cast<std::int32_t>(at.past + i));
      }
    }
  }
}

TEST_F(Prompts, ShortOnesAreStrungTogether) {
  Write("{\"tokens\": [1, 2]}\n{\"tokens\": []}\n{\"tokens\": [1, 2]}\n");
  const Workload workload = MakeWorkload(Options(path_), SmallEngine());
  for (const WorkloadRun& run : workload.runs) {
    for (const auto& at : run.sequences) {
      for (std::size_t i = 0; i < at.tokens.size(); ++i) {
        EXPECT_EQ(at.tokens[i], static_cast<std::int32_t>((at.past + i) % 2 + 1));
      }
    }
  }
}

TEST_F(Prompts, Errors) {
  EXPECT_THAT(ErrorOf("/nowhere/prompts.jsonl"),
              HasSubstr("/nowhere/prompts.jsonl: cannot be read"));
  const std::pair<const char*, const char*> cases[] = {
      {"{\"tokens\": [1]}\nnot json\n", ":2: expected a JSON object with `tokens`"},
      {"{\"tokens\": [1]}\n\n", ":2: expected a JSON object with `tokens`"},
      {"{\"text\": \"a\"}\n", ":1: expected a JSON object with `tokens`"},
      {"{\"tokens\": \"1 2\"}\n", ":1: expected a JSON object with `tokens`"},
      {"[1, 2]\n", ":1: expected a JSON object with `tokens`"},
      {"{\"tokens\": [1]}\n{\"tokens\": [0, 100]}\n", ":2: token 100, expected 0 to 99"},
      {"{\"tokens\": [4294967297]}\n", ":1: expected a JSON object with `tokens`"},
      {"{\"tokens\": [1.5]}\n", ":1: expected a JSON object with `tokens`"},
      {"{\"tokens\": [-1]}\n", ":1: token -1, expected 0 to 99"},
      {"{\"tokens\": []}\n", ": no prompts"},
      {"", ": no prompts"}};
  for (const auto& [text, words] : cases) {
    Write(text);
    EXPECT_THAT(ErrorOf(path_), HasSubstr(path_ + words)) << text;
  }
}

struct Beyond {
  const char* name;
  void (*spoil)(WorkloadOptions& options, Description& engine);
  const char* words;
};

class WorkloadErrors : public testing::TestWithParam<Beyond> {};

TEST_P(WorkloadErrors, AreThrown) {
  WorkloadOptions options = Options();
  Description engine = SmallEngine();
  GetParam().spoil(options, engine);
  try {
    MakeWorkload(options, engine);
    FAIL() << "a workload was made";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Limits, WorkloadErrors,
    testing::Values(
        Beyond{"batch_of_none", [](WorkloadOptions& o, Description&) { o.batches = {0}; },
               "a batch of 0"},
        Beyond{"sequences",
               [](WorkloadOptions& o, Description&) {
                 o.batches = {1, 9};
               },
               "a batch of 9 with chunks of 16 tokens, engine 'small' takes 8 sequences and 256"},
        Beyond{"rows", [](WorkloadOptions& o, Description&) { o.chunk = 100; },
               "a batch of 3 with chunks of 100 tokens"},
        Beyond{"no_chunk", [](WorkloadOptions& o, Description&) { o.chunk = 0; },
               "chunks of 0 tokens"},
        Beyond{"context", [](WorkloadOptions& o, Description&) { o.decode_steps = 500; },
               "engine 'small' has a context of 512"},
        Beyond{"no_programs", [](WorkloadOptions&, Description& d) { d.programs.clear(); },
               "neither a program 'prefill' nor 'decode'"},
        Beyond{"no_tokens", [](WorkloadOptions&, Description& d) { d.tensors.clear(); },
               "declares no input buffer 'tokens' with a domain"},
        Beyond{"no_vocabulary",
               [](WorkloadOptions&, Description& d) { d.tensors["tokens"].domain.reset(); },
               "declares no input buffer 'tokens' with a domain"},
        Beyond{"endless_vocabulary",
               [](WorkloadOptions&, Description& d) { d.tensors["tokens"].domain->max = 1e300; },
               "the domain of 'tokens' does not end at an id"},
        Beyond{"vocabulary_below_zero",
               [](WorkloadOptions&, Description& d) { d.tensors["tokens"].domain->max = -1; },
               "the domain of 'tokens' does not end at an id"},
        Beyond{
            "tokens_are_no_input",
            [](WorkloadOptions&, Description& d) { d.tensors["tokens"].role = Role::kWorkspace; },
            "declares no input buffer 'tokens' with a domain"},
        Beyond{"no_variable", [](WorkloadOptions&, Description& d) { d.var_max.erase("seqs"); },
               "declares no variable 'seqs'"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parity
