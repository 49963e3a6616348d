// The parity manifest: which two sides, on what workload, judged how.
#ifndef GTEST_PARITY_MANIFEST_MANIFEST_H_
#define GTEST_PARITY_MANIFEST_MANIFEST_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {

// A side that is a server process, reached over HTTP on 127.0.0.1. The words of its command and the
// values of its environment may hold placeholders, see placeholders.h.
struct ServerDeclaration {
  std::vector<std::string> command;  // the first is an absolute path
  // All that it has; no value: the judge's own, where that has one.
  std::map<std::string, std::optional<std::string>> environment;
  std::string working_directory;  // resolved
  std::uint32_t port = 0;         // 0: one that is free
  std::string ready_path = "/v1/models";
  double ready_seconds = 60;
  std::string stop_signal = "SIGTERM";
  double stop_seconds = 20;
  std::string counters_path = "/v1/stats";
  std::string log;  // resolved; empty: in the folder of the reports, if any
};

// An engine plugin, or a server.
struct SideDeclaration {
  std::string name;     // of a server, as reports call it; else empty
  std::string library;  // resolved path of the plugin's file
  std::string engine;
  std::string description;       // resolved path
  std::string backend = "host";  // host | cuda | cuda_staged
  nlohmann::json config = nlohmann::json::object();
  std::map<std::string, std::string> env;
  std::vector<std::string> library_path;    // resolved folders
  std::uint64_t memory_limit_bytes = 0;     // of all its processes; 0: what the machine can spare
  Position engine_at;                       // of `engine` in the manifest's file
  std::optional<ServerDeclaration> server;  // then there is no library, engine or description
  Position server_at;
};

enum class SpanMode { kExact, kEndToEnd };
enum class SpanSelection { kDiff, kOps, kExplicit };

struct ExplicitSpan {
  std::string program;
  std::uint32_t reference_lo = 0, reference_hi = 0;
  std::uint32_t candidate_lo = 0, candidate_hi = 0;
  Position at;
};

// A declared tolerance; an empty span or buffer means every one.
struct Tolerance {
  std::string program, span, buffer;
  std::optional<double> nrmse;
  std::optional<std::uint64_t> max_ulp;
  std::string reason;
  std::string until;  // YYYY-MM-DD, the last day it counts
  Position at;
};

// Spans that a kernel swap is about, by a glob over their slugs.
struct ChangedSpans {
  std::string span;
  Position at;
};

struct JudgeOptions {
  SpanMode spans = SpanMode::kExact;
  double kl = 0.01;  // nats
  std::uint32_t repeats = 2;
  std::uint32_t noisy_repeats = 8;
  double spread_factor = 2;
  double margin = 0;  // of `end_to_end`: between scores of choices that count as tied
  bool self_allowed = false;
  bool causality_probed = false;  // of every side; of a tap-only one it is anyway
  // Of `end_to_end`: the spans that may differ, every other is demanded bit for bit; empty: all
  // may.
  std::vector<ChangedSpans> changed;
  std::vector<Tolerance> tolerances;
};

struct WorkloadOptions {
  std::uint64_t seed = 0x5eed;
  std::string
      prompts;  // resolved path of JSON lines with `tokens`; empty: drawn from the vocabulary
  std::uint64_t chunk = 16;
  std::uint64_t decode_steps = 16;
  std::vector<std::uint64_t> batches = {1};
};

// What the suite `tokens` asks besides the workload.
struct TokenOptions {
  // Ids that a generation must come to before it says anything; default: all that are asked for.
  std::optional<std::uint64_t> least;
  // Ids that end a sequence; default: what the reference's special ids call `eos`.
  std::optional<std::vector<std::int32_t>> end;
  std::string choice;   // the buffer of chosen ids; empty: `next_token`, else the logits' argmax
  std::string fixture;  // resolved path of checked-in texts and ids; empty: none
};

// What one side is in a variant, besides what it is anyway.
struct SideVariant {
  nlohmann::json config = nlohmann::json::object();  // merged over the side's (RFC 7396)
  std::string description;                           // resolved path; empty: the side's
  // JSON pointer to a folder of weights in the side's configuration, in whose place a copy with
  // other weights of the same shapes comes; empty: none.
  std::string other_weights;
};

struct KvVariant {
  SideVariant reference, candidate;
};

// How the suite `kv` asks engine plugins.
enum class KvBy {
  kServe,   // by `serve`, their own store included
  kStates,  // step by step; the harness keeps the store, by save_state and load_state
};

// Cases that are not asked of these sides, as what they are has no answer to them.
struct KvLeftOut {
  std::string cases;  // of "Fixture/slug": * any text, ? any character
  std::string reason;
  Position at;
};

// What the suite `kv` runs.
struct KvOptions {
  KvBy by = KvBy::kServe;
  std::string lanes;                          // resolved path; empty: none
  std::map<std::string, KvVariant> variants;  // by the name that lanes call them
  std::vector<KvLeftOut> without;
};

// What the suite `wire` asks.
struct WireOptions {
  std::string probes;                 // resolved path; empty: none
  std::string refusals;               // the same, of those that a person has classified
  std::vector<std::string> surfaces;  // asked of what the probes hold; empty: all
};

struct RankOptions {
  std::uint32_t count = 1;
  bool in_threads = true;  // false: one host process per rank
};

// Where images of a recording go for which the memory budget has no room.
struct SpillOptions {
  std::string folder;       // resolved path
  std::uint64_t bytes = 0;  // per rank
};

struct Manifest {
  std::string path;  // of the file
  std::string name;
  SideDeclaration reference, candidate;
  RankOptions ranks;
  SpanSelection selection = SpanSelection::kDiff;
  std::vector<ExplicitSpan> explicit_spans;
  WorkloadOptions workload;
  TokenOptions tokens;
  KvOptions kv;
  WireOptions wire;
  JudgeOptions judge;
  double deadline_seconds = 600;
  std::uint64_t memory_budget_bytes = std::uint64_t{4} << 30;  // of the recording, per rank
  std::optional<SpillOptions> spill;  // none: what does not fit is not kept
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_MANIFEST_H_
