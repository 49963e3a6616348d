#include "gtest_parity/replay/workload.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "gtest_parity/replay/prompts.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw std::runtime_error("workload: " + words); }

std::int32_t VocabularyOf(const Description& description) {
  const auto tokens = description.tensors.find("tokens");
  std::optional<ValueRange> domain;
  if (tokens != description.tensors.end() && tokens->second.role == Role::kInput) {
    domain = tokens->second.domain;
  }
  if (!domain) {
    Fail("engine '" + description.engine +
         "' declares no input buffer 'tokens' with a domain, so its vocabulary is not known");
  }
  const bool is_id = domain->max >= 0 && domain->max < std::numeric_limits<std::int32_t>::max();
  if (!is_id) {
    Fail("engine '" + description.engine + "': the domain of 'tokens' does not end at an id");
  }
  return static_cast<std::int32_t>(domain->max) + 1;
}

struct Limits {
  std::uint64_t rows, sequences, context, page;
};

Limits LimitsOf(const Description& description) {
  const auto max_of = [&](const char* name) {
    const auto found = description.var_max.find(name);
    if (found == description.var_max.end()) {
      Fail("engine '" + description.engine + "' declares no variable '" + name + "'");
    }
    return found->second;
  };
  return {max_of("rows"), max_of("seqs"), description.context,
          description.paging ? description.paging->page_tokens : 0};
}

// Lengths of the prompts of one scenario.
std::vector<std::uint64_t> PageEdge(std::uint64_t batch, std::uint64_t page, std::uint64_t decode) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 0; i < batch; ++i) {
    // The page's edge comes in the middle of the decode, at another step for each sequence.
    const std::uint64_t before =
        std::min(page - 1, decode / 2 + i % std::max<std::uint64_t>(1, decode / 2));
    lengths.push_back(page * (2 + i % 3) - before);
  }
  return lengths;
}

std::vector<std::uint64_t> ChunkEdge(std::uint64_t batch, std::uint64_t chunk) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 0; i < batch; ++i) {
    const std::uint64_t at[] = {2 * chunk, chunk + 1, std::max<std::uint64_t>(1, chunk - 1)};
    lengths.push_back(at[i % 3]);
  }
  return lengths;
}

bool CrossesPage(const WorkloadRun& run, std::uint64_t page) {
  if (page == 0) return false;
  return std::any_of(run.sequences.begin(), run.sequences.end(), [&](const auto& sequence) {
    const std::uint64_t end = sequence.past + sequence.tokens.size();
    return sequence.past != 0 && (end - 1) / page != (sequence.past - 1) / page;
  });
}

// Where a sequence goes on behind an earlier run: of prefill, behind a chunk.
bool GoesOn(const WorkloadRun& run) {
  return std::any_of(run.sequences.begin(), run.sequences.end(),
                     [](const auto& sequence) { return sequence.past != 0; });
}

// Of one scenario: the first and last run of each program, the first that goes on behind another
// and those that cross a page's edge.
void MarkKept(std::vector<WorkloadRun>& runs, std::uint64_t page) {
  std::set<std::string> programs;
  for (const WorkloadRun& run : runs) programs.insert(run.program);
  for (const std::string& program : programs) {
    WorkloadRun* first = nullptr;
    WorkloadRun* last = nullptr;
    bool went_on = false;
    for (WorkloadRun& run : runs) {
      if (run.program != program) continue;
      if (CrossesPage(run, page) || (GoesOn(run) && !went_on)) run.kept = "boundary";
      went_on |= GoesOn(run);
      if (first == nullptr) first = &run;
      last = &run;
    }
    if (last != nullptr) last->kept = "last";
    if (first != nullptr) first->kept = "first";
  }
}

// Tokens that a step takes a sequence further where the program drafts so many.
std::uint64_t StepLength(std::uint64_t step, std::uint64_t drafts) {
  return 1 + step % (drafts + 1);
}

// Tokens of text that so many steps need behind the prompt.
std::uint64_t StepsLength(std::uint64_t steps, std::uint64_t drafts) {
  std::uint64_t length = drafts;
  for (std::uint64_t step = 0; step < steps; ++step) length += StepLength(step, drafts);
  return length;
}

// What follows the prompts: a program, and how many tokens it drafts itself.
struct Generation {
  std::string program;
  std::uint64_t drafts = 0;
};

// One scenario: every sequence goes through `prefill` in chunks, then all generate together.
std::vector<WorkloadRun> MakeScenario(const std::string& name, const std::vector<Tokens>& texts,
                                      const std::vector<std::uint64_t>& prompt_lengths,
                                      std::uint64_t chunk, std::uint64_t steps,
                                      const std::string& prefill, const Generation& generation) {
  std::vector<WorkloadRun> runs;
  const auto add = [&](const std::string& program, int index,
                       std::vector<WorkloadRun::Sequence> sequences) {
    runs.push_back({.name = name + "/" + program + "#" + std::to_string(index),
                    .scenario = name,
                    .program = program,
                    .first_of_scenario = runs.empty(),
                    .last_of_scenario = false,
                    .kept = {},
                    .sequences = std::move(sequences)});
  };
  const auto take = [&](std::size_t i, std::uint64_t past, std::uint64_t count) {
    const auto begin = texts[i].begin() + static_cast<std::ptrdiff_t>(past);
    return WorkloadRun::Sequence{static_cast<std::uint32_t>(i), past,
                                 Tokens(begin, begin + static_cast<std::ptrdiff_t>(count))};
  };
  const std::uint64_t longest = *std::max_element(prompt_lengths.begin(), prompt_lengths.end());
  int index = 0;
  for (std::uint64_t past = 0; past < longest; past += chunk) {
    std::vector<WorkloadRun::Sequence> sequences;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (past >= prompt_lengths[i]) continue;
      sequences.push_back(take(i, past, std::min(chunk, prompt_lengths[i] - past)));
    }
    add(prefill, index++, std::move(sequences));
  }
  if (generation.program != prefill) index = 0;
  std::uint64_t past = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    std::vector<WorkloadRun::Sequence> sequences;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      sequences.push_back(take(i, prompt_lengths[i] + past, 1 + generation.drafts));
    }
    add(generation.program, index++, std::move(sequences));
    past += StepLength(step, generation.drafts);
  }
  runs.back().last_of_scenario = true;
  return runs;
}

struct ScenarioShape {
  std::string name;
  std::vector<std::uint64_t> lengths;  // of the prompts
  Generation generation;
};

std::vector<ScenarioShape> ShapesFor(std::uint64_t batch, const WorkloadOptions& options,
                                     const Description& description, std::uint64_t page,
                                     std::uint64_t chunk) {
  const char* decode = description.FindProgram("decode") != nullptr ? "decode" : "prefill";
  std::vector<ScenarioShape> shapes = {
      {"page_edge", PageEdge(batch, page, options.decode_steps), {decode, 0}},
      {"chunk_edge", ChunkEdge(batch, chunk), {decode, 0}}};
  for (const Program& program : description.programs) {
    if (program.drafts == 0 || program.once) continue;
    shapes.push_back({program.name,
                      PageEdge(batch, page, options.decode_steps),
                      {program.name, program.drafts}});
  }
  return shapes;
}

// Throws where the engine does not take the scenario's batch or the length of its sequences.
void ExpectRoom(const ScenarioShape& shape, std::uint64_t chunk, std::uint64_t generated,
                const Limits& limits, const std::string& engine) {
  const std::uint64_t batch = shape.lengths.size();
  const std::uint64_t rows = batch * std::max(chunk, 1 + shape.generation.drafts);
  if (batch == 0 || batch > limits.sequences || rows > limits.rows) {
    Fail("a batch of " + std::to_string(batch) + " with chunks of " + std::to_string(chunk) +
         " tokens, engine '" + engine + "' takes " + std::to_string(limits.sequences) +
         " sequences and " + std::to_string(limits.rows) + " rows");
  }
  for (const std::uint64_t length : shape.lengths) {
    if (length + generated <= limits.context) continue;
    Fail("a sequence of " + std::to_string(length + generated) + " tokens, engine '" + engine +
         "' has a context of " + std::to_string(limits.context));
  }
}

}  // namespace

Workload MakeWorkload(const WorkloadOptions& options, const Description& description) {
  const std::int32_t vocabulary = VocabularyOf(description);
  const Limits limits = LimitsOf(description);
  const bool has_prefill = description.FindProgram("prefill") != nullptr;
  const bool has_decode = description.FindProgram("decode") != nullptr;
  if (!has_prefill && !has_decode) {
    Fail("engine '" + description.engine + "' has neither a program 'prefill' nor 'decode'");
  }
  if (options.chunk == 0) Fail("chunks of 0 tokens, expected at least 1");
  const std::string prefill = has_prefill ? "prefill" : "decode";
  const std::uint64_t chunk = has_prefill ? options.chunk : 1;
  const std::uint64_t page = limits.page != 0 ? limits.page : 16;

  std::vector<Tokens> prompts;
  if (!options.prompts.empty()) prompts = ReadPrompts(options.prompts, vocabulary);
  Workload workload;
  workload.seed = options.seed;
  Random random(options.seed);
  for (const std::uint64_t batch : options.batches) {
    for (const ScenarioShape& shape : ShapesFor(batch, options, description, page, chunk)) {
      const std::uint64_t generated = StepsLength(options.decode_steps, shape.generation.drafts);
      ExpectRoom(shape, chunk, generated, limits, description.engine);
      std::vector<Tokens> texts;
      for (const std::uint64_t length : shape.lengths) {
        texts.push_back(DrawText(prompts, vocabulary, length + generated, random));
      }
      std::vector<WorkloadRun> runs =
          MakeScenario("b" + std::to_string(batch) + "_" + shape.name, texts, shape.lengths, chunk,
                       options.decode_steps, prefill, shape.generation);
      MarkKept(runs, page);
      std::move(runs.begin(), runs.end(), std::back_inserter(workload.runs));
    }
  }
  return workload;
}

std::shared_ptr<const Step> StepFor(const WorkloadRun& run, const Description& side,
                                    std::uint64_t seed) {
  auto step = std::make_shared<Step>();
  step->program = run.program;
  step->run = run.name;
  std::vector<std::int32_t> pages;
  const std::uint64_t slots = LimitsOf(side).sequences;
  std::uint64_t pages_per_sequence = 0;
  if (side.paging) {
    pages.resize(side.paging->page_count);
    std::iota(pages.begin(), pages.end(), 0);
    Random random(seed);
    for (std::size_t i = pages.size(); i > 1; --i) std::swap(pages[i - 1], pages[random.Below(i)]);
    pages_per_sequence = side.paging->page_count / slots;
  }
  for (const WorkloadRun::Sequence& from : run.sequences) {
    if (from.slot >= slots) {
      Fail(run.name + ": a sequence in slot " + std::to_string(from.slot) + ", engine '" +
           side.engine + "' has " + std::to_string(slots));
    }
    Step::Sequence sequence{from.slot, from.past, from.tokens.size(), {}};
    for (std::uint64_t i = 0; i < from.tokens.size(); ++i) {
      step->positions.push_back(static_cast<std::int32_t>(from.past + i));
    }
    step->tokens.insert(step->tokens.end(), from.tokens.begin(), from.tokens.end());
    if (side.paging) {
      const std::uint64_t needed = (from.past + from.tokens.size() + side.paging->page_tokens - 1) /
                                   side.paging->page_tokens;
      if (needed > pages_per_sequence) {
        Fail(run.name + ": a sequence needs " + std::to_string(needed) + " pages, engine '" +
             side.engine + "' has " + std::to_string(pages_per_sequence) + " for each");
      }
      const auto begin =
          pages.begin() + static_cast<std::ptrdiff_t>(from.slot * pages_per_sequence);
      sequence.pages.assign(begin, begin + static_cast<std::ptrdiff_t>(needed));
    }
    step->sequences.push_back(std::move(sequence));
  }
  return step;
}

Vars VarsOf(const WorkloadRun& run, std::uint32_t ranks) {
  std::uint64_t rows = 0, held = 0;
  for (const WorkloadRun::Sequence& sequence : run.sequences) {
    rows += sequence.tokens.size();
    held += sequence.past + sequence.tokens.size();
  }
  return {{"rows", rows}, {"seqs", run.sequences.size()}, {"kv_tokens", held}, {"ranks", ranks}};
}

}  // namespace parity
