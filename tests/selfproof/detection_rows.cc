#include "tests/selfproof/detection_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/recorded_reference.h"

namespace parity::testing {
namespace {

std::string PowerOfTwo(int exponent) { return "2^" + std::to_string(exponent); }

std::string NumberText(double number) { return nlohmann::json(number).dump(); }

// Factors 1 + 2^-1, 1 + 2^-2, ... down to the last that a f32 can tell from 1.
std::string Drift(int size) {
  return "{\"name\": \"drift\", \"factor\": " + NumberText(1 + std::ldexp(1.0, -1 - size)) + "}";
}
std::string DriftText(int size) { return "1 + " + PowerOfTwo(-1 - size); }

std::string Round(int size) {
  return "{\"name\": \"round\", \"mantissa_bits\": " + std::to_string(size) + "}";
}
std::string RoundText(int size) { return "to " + std::to_string(size) + " bits"; }

// Exchanges that cost at most 8, 4, 2, ... nats.
std::string Flip(int size) {
  return R"({"name": "flip_argmax", "at_least": 0, "at_most": )" +
         NumberText(std::ldexp(1.0, 3 - size)) + "}";
}
std::string FlipText(int size) { return PowerOfTwo(3 - size) + " nats"; }

std::string Manifest(const std::string& dtype, const std::string& judge) {
  const auto side = [&](const std::string& library, const std::string& engine) {
    return "{library: " + library + ", engine: " + engine +
           ", description: " + InSource("manifests/tiny/" + engine + "." + dtype + ".json") +
           ", backend: host, config: {model: {path: " + InSource("manifests/tiny/model") +
           "}, dtype: " + dtype + "}}";
  };
  return "parity: 1\nname: detection\nreference: " + side("parity_tiny", "paged") +
         "\ncandidate: " + side("parity_tiny_ported", "ported") +
         "\nranks: {count: 1, in: threads}\nspans: diff\nworkload: {seed: 0x5eed, prompts: " +
         InSource("manifests/tiny/model/prompts.jsonl") +
         ", chunk: 16, decode_steps: 4, batches: [1]}\njudge: " + judge + "\n";
}

std::string PathOf(const SizedFault& fault) {
  return std::string(PARITY_SELFPROOF_FOLDER) + "/detection." + fault.name + "." + fault.dtype +
         ".json";
}

bool Looks(const CaseResult& result, const Instrument& instrument, const SizedFault& fault) {
  if (FixtureOf(result) != instrument.fixture) return false;
  return instrument.fixture != "SpanParity" || SlugOf(result).ends_with("_" + fault.op);
}

// What the reference did, for every fault that the instrument looks at in this dtype.
const RecordedReference& Recorded(const Instrument& instrument, const SizedFault& fault,
                                  const SuiteArguments& arguments) {
  static std::map<std::string, std::unique_ptr<RecordedReference>> references;
  std::unique_ptr<RecordedReference>& reference = references[instrument.name + "/" + fault.dtype];
  if (!reference) reference = std::make_unique<RecordedReference>(arguments);
  return *reference;
}

}  // namespace

void PrintTo(const SizedFault& fault, std::ostream* out) {
  *out << fault.name << " " << fault.dtype;
}

std::span<const SizedFault> SizedFaults() {
  static const std::vector<SizedFault> faults = {
      {"drift", "layer0_gate", "f32", 23, Drift, DriftText},
      {"drift", "layer0_gate", "bf16", 23, Drift, DriftText},
      {"round", "layer2_attention", "f32", 23, Round, RoundText},
      {"round", "layer2_attention", "bf16", 7, Round, RoundText},
      {"flip_argmax", "logits", "f32", 24, Flip, FlipText},
      {"flip_argmax", "logits", "bf16", 24, Flip, FlipText},
  };
  return faults;
}

std::span<const Instrument> Instruments() {
  const std::string exact = "{spans: exact}", end_to_end = "{spans: end_to_end, kl: 0.01}";
  const std::string noisy = R"({"name": "noisy"})";
  static const std::vector<Instrument> instruments = {
      {"span", exact, "", "SpanParity"},
      {"span, noisy", exact, noisy, "SpanParity"},
      {"end to end, bits", exact, "", "EndToEnd"},
      {"end to end, KL", end_to_end, "", "EndToEnd"},
      {"end to end, noisy", exact, noisy, "EndToEnd"},
  };
  return instruments;
}

bool Catches(const Instrument& instrument, const SizedFault& fault, int size) {
  const ScratchFolder folder;
  SuiteArguments arguments;
  arguments.manifest = folder.Write("detection.yaml", Manifest(fault.dtype, instrument.judge));
  arguments.filter = "*Preflight*:*" + instrument.fixture + "*";
  if (instrument.fixture == "SpanParity") arguments.filter += "_" + fault.op;
  arguments.reference = instrument.reference;
  const RecordedReference& reference = Recorded(instrument, fault, arguments);
  if (size >= 0) arguments.candidate = fault.mutant(size);
  const SuiteRun run(reference.Replayed(arguments));
  int looked = 0;
  bool caught = false;
  for (const CaseResult& result : run.cases()) {
    const bool looks = Looks(result, instrument, fault);
    looked += looks;
    caught |= looks && !Passes(result.outcome);
    EXPECT_TRUE(looks || Passes(result.outcome)) << ShortName(result);
  }
  EXPECT_EQ(looked, 2) << run.out() << run.err();  // prefill and decode
  EXPECT_TRUE(run.group().problems.empty());
  return caught;
}

std::optional<int> SmallestCaught(const Instrument& instrument, const SizedFault& fault) {
  int caught = -1, missed = fault.sizes;
  while (missed - caught > 1) {
    const int size = (caught + missed) / 2;
    (Catches(instrument, fault, size) ? caught : missed) = size;
  }
  return caught < 0 ? std::nullopt : std::optional(caught);
}

void RemoveDetection(const SizedFault& fault) {
  std::filesystem::create_directories(PARITY_SELFPROOF_FOLDER);
  std::filesystem::remove(PathOf(fault));
}

void WriteDetection(const SizedFault& fault, const std::vector<std::string>& cells) {
  WriteFileAtomically(PathOf(fault), nlohmann::json(cells).dump() + "\n");
}

std::optional<std::vector<std::string>> ReadDetection(const SizedFault& fault) {
  const std::optional<std::string> text = ReadFileIfThere(PathOf(fault));
  if (!text) return std::nullopt;
  return nlohmann::json::parse(*text).get<std::vector<std::string>>();
}

}  // namespace parity::testing
