#include "gtest_parity/engines/tiny/stage.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

std::string InSequence(std::uint64_t index) {
  return "step.sequences[" + std::to_string(index) + "]";
}

void CheckWithin(const std::string& what, std::uint64_t value, std::uint64_t min,
                 std::uint64_t max) {
  if (value >= min && value <= max) return;
  throw Invalid(what + " is " + std::to_string(value) + ", expected " + std::to_string(min) +
                " to " + std::to_string(max));
}

void CheckContext(const parity_sequence& sequence, std::uint64_t context, std::uint64_t index) {
  if (sequence.past <= context && sequence.rows <= context - sequence.past) return;
  const std::string operands = "{\"past\": " + std::to_string(sequence.past) +
                               ", \"rows\": " + std::to_string(sequence.rows) +
                               ", \"context\": " + std::to_string(context) + "}";
  throw RefusedError({"context_limit", "past + rows <= context", operands},
                     InSequence(index) + ": past " + std::to_string(sequence.past) + " and rows " +
                         std::to_string(sequence.rows) + " exceed the context of " +
                         std::to_string(context));
}

// Pages must be enough for past and present tokens, exist, and belong to one sequence only.
void CheckPages(const parity_sequence& sequence, std::uint64_t index,
                std::set<std::int32_t>& taken) {
  const std::string where = InSequence(index);
  if (sequence.pages == nullptr) throw Invalid(where + ".pages is NULL, this engine is paged");
  const std::uint64_t needed = (sequence.past + sequence.rows + kPageTokens - 1) / kPageTokens;
  CheckWithin(where + ".page_count", sequence.page_count, needed, kPageCount);
  for (std::uint64_t i = 0; i < sequence.page_count; ++i) {
    const std::int32_t page = sequence.pages[i];
    const std::string what = where + ".pages[" + std::to_string(i) + "] is " + std::to_string(page);
    if (page < 0 || page >= static_cast<std::int32_t>(kPageCount)) {
      throw Invalid(what + ", expected 0 to " + std::to_string(kPageCount - 1));
    }
    if (!taken.insert(page).second) throw Invalid(what + ", which another entry already holds");
  }
}

void CheckTokens(const parity_step& step, const parity_sequence& sequence, std::uint64_t first_row,
                 std::uint64_t vocabulary) {
  for (std::uint64_t i = 0; i < sequence.rows; ++i) {
    const std::uint64_t row = first_row + i;
    const std::int32_t token = step.tokens[row];
    if (token < 0 || static_cast<std::uint64_t>(token) >= vocabulary) {
      throw Invalid("step.tokens[" + std::to_string(row) + "] is " + std::to_string(token) +
                    ", expected 0 to " + std::to_string(vocabulary - 1));
    }
    if (step.positions[row] < 0 ||
        static_cast<std::uint64_t>(step.positions[row]) != sequence.past + i) {
      throw Invalid("step.positions[" + std::to_string(row) + "] is " +
                    std::to_string(step.positions[row]) + ", expected " +
                    std::to_string(sequence.past + i));
    }
  }
}

const ProgramSpec& CheckProgram(const parity_step& step, const EngineSpec& spec) {
  std::string known;
  for (const ProgramSpec& program : spec.programs) {
    if (program.once) continue;
    if (step.program != nullptr && program.name == step.program) return program;
    known += (known.empty() ? "" : ", ") + program.name;
  }
  throw Invalid("step.program is \"" + std::string(step.program ? step.program : "") +
                "\", known are " + known);
}

void CheckTotals(const parity_step& step) {
  CheckWithin("step.rows", step.rows, 1, kMaxRows);
  CheckWithin("step.sequence_count", step.sequence_count, 1, kMaxSequences);
  if (step.tokens == nullptr || step.positions == nullptr || step.sequences == nullptr) {
    throw Invalid("step.tokens, positions and sequences must not be NULL");
  }
  if (step.sequences->struct_size < sizeof(parity_sequence)) {
    throw Invalid(InSequence(0) + ".struct_size is " + std::to_string(step.sequences->struct_size) +
                  ", expected at least " + std::to_string(sizeof(parity_sequence)));
  }
  std::uint64_t rows = 0;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    CheckWithin(InSequence(i) + ".rows", SequenceOf(step, i).rows, 1, step.rows);
    rows += SequenceOf(step, i).rows;
  }
  if (rows != step.rows) {
    throw Invalid("step.rows is " + std::to_string(step.rows) + ", its sequences have " +
                  std::to_string(rows));
  }
}

}  // namespace

const parity_sequence& SequenceOf(const parity_step& step, std::uint64_t index) {
  const auto* first = reinterpret_cast<const char*>(step.sequences);
  return *reinterpret_cast<const parity_sequence*>(first + index * step.sequences->struct_size);
}

void CheckStep(const parity_step& step, const EngineSpec& spec) {
  const ProgramSpec& program = CheckProgram(step, spec);
  CheckTotals(step);
  std::set<std::uint32_t> slots;
  std::set<std::int32_t> taken;
  std::uint64_t first_row = 0;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    if (program.drafts != 0) {
      CheckWithin(InSequence(i) + ".rows", sequence.rows, 1 + program.drafts, 1 + program.drafts);
    }
    CheckWithin(InSequence(i) + ".slot", sequence.slot, 0, kMaxSequences - 1);
    if (!slots.insert(sequence.slot).second) {
      throw Invalid(InSequence(i) + ".slot is " + std::to_string(sequence.slot) +
                    ", which another sequence of the step occupies");
    }
    CheckContext(sequence, spec.Context(), i);
    if (spec.paged) CheckPages(sequence, i, taken);
    CheckTokens(step, sequence, first_row, spec.model.vocabulary);
    first_row += sequence.rows;
  }
}

void WriteStep(const parity_step& step, Memory& memory) {
  memory.SetStep(step.rows, step.sequence_count);
  const bool paged = memory.Has("block_table");
  std::vector<std::int32_t> owners, last_rows, pages;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    owners.insert(owners.end(), sequence.rows,
                  static_cast<std::int32_t>(paged ? i : sequence.slot));
    last_rows.push_back(static_cast<std::int32_t>(owners.size()) - 1);
    if (!paged) continue;
    pages.insert(pages.end(), sequence.pages, sequence.pages + sequence.page_count);
    pages.resize((i + 1) * kPageCount, kNoPage);
  }
  const auto write = [&](const char* name, const std::int32_t* values, std::uint64_t count) {
    memory.Write(name, values, count * sizeof(std::int32_t));
  };
  write("tokens", step.tokens, step.rows);
  write("positions", step.positions, step.rows);
  write(paged ? "row_seq" : "row_slot", owners.data(), owners.size());
  write("last_row", last_rows.data(), last_rows.size());
  if (paged) write("block_table", pages.data(), pages.size());
}

std::vector<StagedSequence> SequencesOf(const parity_step& step) {
  std::vector<StagedSequence> sequences;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& from = SequenceOf(step, i);
    sequences.push_back({from.slot, from.past + from.rows, {}});
    if (from.pages == nullptr) continue;
    sequences.back().pages.assign(from.pages, from.pages + from.page_count);
  }
  return sequences;
}

}  // namespace parity::tiny
