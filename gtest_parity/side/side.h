// The judge's handle on one side: an engine on all its ranks, wherever it runs.
#ifndef GTEST_PARITY_SIDE_SIDE_H_
#define GTEST_PARITY_SIDE_SIDE_H_

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest_parity/device/gpu_chunk.h"
#include "gtest_parity/judge/death.h"
#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/script.h"

namespace parity {

// The side died, did not answer, or its engine failed.
class SideFailure : public std::runtime_error {
 public:
  explicit SideFailure(Death death) : std::runtime_error(death.what), death_(std::move(death)) {}
  const Death& death() const { return death_; }

 private:
  Death death_;
};

// What the judge was set up wrongly for: not an engine, another ABI, a description that is not the
// engine's, no host program. Never held against a side.
class SetupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a side is made of.
struct SideOptions {
  std::string name;  // "reference" or "candidate"
  std::string library;
  std::string engine;
  nlohmann::json config;
  std::map<std::string, std::string> env;
  std::vector<std::string> library_path;
  std::uint32_t ranks = 1;
  bool in_threads = true;                        // of one host, or one host per rank
  Description description;                       // the checked-in one, parsed
  nlohmann::json description_json;               // and as it stands
  std::vector<std::vector<ChunkHandle>> chunks;  // the recording's memory, per rank
  std::vector<std::string> gpus;                 // their UUIDs, per rank; empty: on the host
  bool records = false;                          // may write it
  double deadline_seconds = 600;                 // for each call
  std::uint64_t memory_limit_bytes = 0;          // of all its processes; 0: DefaultMemoryLimit()
};

class Side {
 public:
  virtual ~Side() = default;
  // Runs scripts[r] on rank r, all at once; results by rank. Throws SideFailure.
  virtual std::vector<Results> Run(const std::vector<Script>& scripts) = 0;
  // False once its process ended: nothing can be asked of it any more.
  virtual bool alive() const = 0;
  // False: what it returns is no evidence, and why is in provenance().
  virtual bool is_evidence() const = 0;
  virtual std::string provenance() const = 0;
  // Files of code that the side has mapped, system libraries left out.
  virtual std::vector<std::string> MappedObjects() const = 0;
  // The last lines that the engine printed.
  virtual std::string OutputTail() const = 0;
  // Of its processes, by their first rank; none where it has none of its own.
  virtual std::vector<int> pids() const { return {}; }
};

// Throws SetupError unless `from_engine`, the JSON text that the engine gave, is the checked-in
// description.
void CheckDescription(const SideOptions& side, const std::string& from_engine);

// Throws SetupError unless the traits (parity_trait bits) of the engine's table are those that the
// description declares.
void CheckTraits(const SideOptions& side, std::uint32_t traits);

// File-backed executable mappings of a process, without those under system directories.
std::vector<std::string> MappedObjectsOf(int pid);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_SIDE_H_
