// A recording of one span on two ranks, for tests of what becomes of it on disk.
#ifndef GTEST_PARITY_TESTS_REPLAY_SMALL_RECORDING_H_
#define GTEST_PARITY_TESTS_REPLAY_SMALL_RECORDING_H_

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/recording_index.h"
#include "tests/replay/small_plan.h"
#include "tests/suite/driver/scratch_folder.h"

namespace parity {

// h [rows] and a state k of 3 pages and a bit, written in one decode run of two sequences.
struct SmallRecording {
  SmallRecording() {
    Description engine = SmallEngine();
    engine.tensors["h"] = {.name = "h", .dtype = DType::kF32, .shape = {{"rows", ""}}};
    engine.tensors["h"].domain = ValueRange{0, 9};
    engine.tensors["ids"] = {.name = "ids", .dtype = DType::kI32, .shape = {{"rows", ""}}};
    engine.tensors["k"] = {.name = "k",
                           .kind = Kind::kState,
                           .dtype = DType::kU8,
                           .shape = {{std::to_string(kStateBytes), ""}}};
    plan.manifest.name = "small";
    plan.manifest.ranks.count = 2;
    plan.manifest.reference.engine = "small";
    plan.manifest.reference.description = folder.Write("description.json", "{}");
    plan.reference = plan.candidate = engine;
    Span span{.program = "decode", .slug = "decode_embed", .label = "embed"};
    span.reference = span.candidate = {0, 1};
    span.frontier = {{.name = "h", .write = Write::kPure, .compared = true},
                     {.kind = Kind::kState, .name = "k", .restored = true}};
    plan.spans = {span};
    plan.programs = {{.name = "decode", .outputs = {"h"}, .states = {"k"}, .replicated = {"h"}}};
    workload.runs.push_back({.name = "b2/decode#0",
                             .scenario = "b2",
                             .program = "decode",
                             .first_of_scenario = true,
                             .last_of_scenario = true,
                             .kept = "first",
                             .sequences = {{0, 0, {5}}, {1, 0, {6}}}});
    Record();
  }

  void Record() {
    memory = std::make_unique<RecordingMemory>(2, 16 * kPageBytes);
    KeptSpan kept;
    std::vector<RunEnd> ends;
    for (std::size_t rank = 0; rank < 2; ++rank) {
      PageStore store(memory->chunks()[rank], true);
      KeptTensor h, k;
      const float values[] = {1, static_cast<float>(rank)};
      h.after = *store.Keep(values, sizeof(values), {});
      h.written = h.compared = {{0, 1}, {1, 1}};
      std::vector<std::uint8_t> state(kStateBytes);
      k.before = *store.Keep(state.data(), state.size(), {});  // pages alike
      state[kPageBytes] = 1;
      const Image after = *store.Keep(state.data(), state.size(), k.before);
      kept.ranks.push_back({h, k});
      RunEnd end;
      end.images["h"] = h.after;
      end.states["k"] = after;
      end.domains["h"] = {.count = 1, .first_value = -0.0, .min = 0, .max = 9};
      end.checked["h"] = 2;
      end.digests["h"] = "00ff";
      ends.push_back(end);
    }
    recording.spans = {{kept}};
    recording.runs = {ends};
    ElementStats pair;
    pair.compared = 2;
    pair.max_abs = 0.1;
    pair.sum_dd = 1e-300;
    pair.sum_aa = std::numeric_limits<double>::infinity();
    recording.spreads.Add({1, "decode", "decode_embed", "h", {2}}, pair);
    pair.max_rel = std::numeric_limits<float>::infinity();
    pair.ulp_histogram[64] = ~std::uint64_t{0};
    RowStats row;
    row.kl = std::numeric_limits<double>::quiet_NaN();
    row.margin = -0.0;
    recording.probes["reference_causality"] = {
        .check = "causality",
        .repeats = {{"nothing done", 0, "probe/decode", "logits", {.compared = 4}}},
        .alike = {{"another token", 0, "probe/decode", "logits", {.compared = 2}}},
        .effects = {{"another token", "it is not read", {}}},
        .found = {"a cut"},
        .runs = 6,
        .death = std::nullopt};
    recording.repeats["decode"] = {{{{1, "b2/decode#0", "h", 3, {row, {}}}},
                                    {{0, "b2", "k", true, DType::kU8, pair, {}}},
                                    {{{1, "b2/decode#0", "ids", false, DType::kI32, pair, {}},
                                      {2, {{1, -1, 3, std::numeric_limits<double>::infinity()}}},
                                      "scores",
                                      "why not",
                                      0.25,
                                      false}}}};
    recording.faults = {{0, "words"}};
    recording.not_kept = {"a run: why"};
    recording.bytes = {100, 200};
    recording.spilled = {{0, 0}, {7, 0.1}};
    recording.times = TimeLog({{{"decode", 0, 1, true}, {{"b2/decode#0", {{0.1, 0.25}, {}}}}}});
    recording.copy_rates = {1e9, 2.5e9};
    recording.seconds = {.load = 0.1, .workload = 0.2, .record = 1.0 / 3, .end_to_end = 4};
    memory->Seal();
    for (const std::vector<int>& chunks : memory->chunks()) pages.emplace_back(chunks, false);
  }

  RecordingIndex Index() const {
    RecordingIndex index = NewRecordingIndex();
    index.inputs = RecordingInputs(plan, workload);
    index.library = {std::string(64, 'a'), {{"embed", "b"}}};
    index.reference = {"small", "{}", "2 ranks", "weights", {{"lib.so", "hash"}}};
    return index;
  }

  static constexpr std::uint64_t kStateBytes = 3 * kPageBytes + 8;

  testing::ScratchFolder folder;
  Plan plan;
  Workload workload;
  std::unique_ptr<RecordingMemory> memory;
  std::vector<PageStore> pages;
  Recording recording;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_REPLAY_SMALL_RECORDING_H_
