#include "gtest_parity/replay/recording_index.h"

#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <set>
#include <utility>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/side_files.h"

namespace parity {

template <typename Visit, Either<LibraryHashes> S>
void Fields(Visit& visit, S& of) {
  auto& [library, ops, files] = of;
  visit("sha256", library);
  visit("ops", ops);
  visit("files", files);
}

template <typename Visit, Either<RecordingIndex> S>
void Fields(Visit& visit, S& of) {
  auto& [format, tool, recorded, machine, inputs, manifest_sha256, library, reference] = of;
  visit("format", format);
  visit("tool", tool);
  visit("recorded", recorded);
  visit("machine", machine);
  visit("inputs", inputs);
  visit("manifest_sha256", manifest_sha256);
  visit("library", library);
  visit("reference", reference);
}

namespace {

constexpr std::size_t kToldDifferences = 8;

std::string ShortHash(const Json& json) { return Sha256Of(json.dump()).substr(0, 16); }

Json WorkloadJson(const Workload& workload) {
  Json runs = Json::array();
  for (const WorkloadRun& run : workload.runs) {
    Json sequences = Json::array();
    for (const WorkloadRun::Sequence& sequence : run.sequences) {
      sequences.push_back({sequence.slot, sequence.past, sequence.tokens});
    }
    runs.push_back({run.name, run.scenario, run.program, run.first_of_scenario,
                    run.last_of_scenario, run.kept, std::move(sequences)});
  }
  return runs;
}

// As it is compared, hence through the views that both sides declare.
Json TensorJson(const Description& side, const std::string& name) {
  const auto found = side.tensors.find(name);
  if (found == side.tensors.end()) return name;  // of a program that the reference has not
  Json shape = Json::array();
  for (const Dim& dim : found->second.shape) shape.push_back(dim.Text());
  return {name, std::string(NameOf(found->second.dtype)), std::move(shape)};
}

// What is kept of a span: where it is cut in the reference, and its frontier.
Json SpanJson(const Description& side, const Span& span) {
  Json frontier = Json::array();
  for (const FrontierTensor& tensor : span.frontier) {
    Json parts = Json::array();
    for (const TensorPart& part : tensor.compared_parts) {
      parts.push_back({part.axis, part.start, part.size});
    }
    frontier.push_back({tensor.kind, TensorJson(side, tensor.name), tensor.restored, tensor.write,
                        tensor.compared, std::move(parts)});
  }
  return {span.program, span.reference.lo, span.reference.hi, std::move(frontier)};
}

Json ProgramJson(const Description& side, const ProgramPlan& program) {
  const auto of = [&](const std::vector<std::string>& names) {
    Json list = Json::array();
    for (const std::string& name : names) list.push_back(TensorJson(side, name));
    return list;
  };
  Json decisions = Json::array();
  for (const DecisionPlan& decision : program.decisions) {
    decisions.push_back({TensorJson(side, decision.name), decision.scores, decision.unscored});
  }
  std::sort(decisions.begin(), decisions.end());  // they lie in the candidate's order
  return {of(program.logits), of(program.outputs), of(program.states), std::move(decisions),
          of(program.replicated)};
}

std::string CpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown processor";
}

}  // namespace

Json RecordingInputs(const Plan& plan, const Workload& workload) {
  const Manifest& manifest = plan.manifest;
  const SideDeclaration& reference = manifest.reference;
  Json spans = Json::object(), programs = Json::object();
  for (const Span& span : plan.spans) spans[span.slug] = ShortHash(SpanJson(plan.reference, span));
  for (const ProgramPlan& program : plan.programs) {
    programs[program.name] = ShortHash(ProgramJson(plan.reference, program));
  }
  const WorkloadOptions& options = manifest.workload;
  return {{"manifest", manifest.name},
          {"reference",
           {{"engine", reference.engine},
            {"backend", reference.backend},
            {"config", ConfigWithoutFolders(reference.config)},
            {"env", reference.env},
            {"description", Sha256Of(ReadJson(reference.description).dump())},
            {"weights", Sha256Of(HashOfFilesIn(reference.config))}}},
          {"ranks", manifest.ranks.count},
          {"ranks_in", manifest.ranks.in_threads ? "threads" : "processes"},
          {"workload",
           {{"seed", options.seed},
            {"prompts", options.prompts.empty() ? "" : HashFile(options.prompts)},
            {"chunk", options.chunk},
            {"decode_steps", options.decode_steps},
            {"batches", options.batches},
            {"runs", ShortHash(WorkloadJson(workload))}}},
          {"judge",
           {{"repeats", manifest.judge.repeats}, {"noisy_repeats", manifest.judge.noisy_repeats}}},
          {"spans", std::move(spans)},
          {"programs", std::move(programs)}};
}

RecordingIndex NewRecordingIndex() {
  RecordingIndex index;
  index.tool = "gtest_parity " PARITY_VERSION;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  index.recorded = text;
  utsname machine{};
  uname(&machine);
  index.machine = std::string(machine.machine) + ", " + CpuModel();
  return index;
}

std::string RecordingIndexText(const RecordingIndex& index) {
  return ToJson(index).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

RecordingIndex ParseRecordingIndex(std::string_view text) {
  const Json json = ParseRecordingJson(text);
  // First, so that what another version writes otherwise is not what is told.
  if (const auto format = json.find("format");
      format == json.end() || *format != kRecordingFormat) {
    throw RecordingRefused("format", format == json.end() ? "none" : format->dump().substr(0, 40),
                           std::to_string(kRecordingFormat) + ", which this version reads");
  }
  RecordingIndex index;
  FromJson(json, index);
  if (!index.inputs.is_object()) throw RecordingRefused("inputs: expected an object");
  return index;
}

std::vector<std::string> DifferingInputs(const Json& recorded, const Json& expected) {
  const Json got = recorded.flatten(), wanted = expected.flatten();
  std::set<std::string> keys;
  for (const auto& [key, unused] : got.items()) keys.insert(key);
  for (const auto& [key, unused] : wanted.items()) keys.insert(key);
  std::vector<std::string> lines;
  std::size_t more = 0;
  // Flattened, what is empty is null.
  const auto text = [](const Json& flat, const std::string& key) {
    const auto found = flat.find(key);
    return found == flat.end() || found->is_null()
               ? "none"
               : found->dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  for (const std::string& key : keys) {
    const std::string is = text(got, key), should = text(wanted, key);
    if (is == should) continue;
    if (lines.size() == kToldDifferences) {
      ++more;
    } else {
      lines.push_back(key.substr(1) + ": got " + is + ", expected " + should);
    }
  }
  if (lines.empty() && recorded != expected) lines.push_back("null against nothing or empty");
  if (more != 0) lines.push_back("and " + std::to_string(more) + " more");
  return lines;
}

}  // namespace parity
