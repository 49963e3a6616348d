#include "gtest_parity/manifest/manifest_keys.h"

#include <stdexcept>

namespace parity {

const std::vector<ManifestSection>& ManifestSections() {
  static const std::vector<ManifestSection> sections = {
      {"manifest",
       {{"parity", true},
        {"name", true},
        {"reference", true},
        {"candidate", true},
        {"ranks"},
        {"spans"},
        {"workload"},
        {"tokens"},
        {"kv"},
        {"wire"},
        {"judge"},
        {"deadline"},
        {"memory_budget"},
        {"spill"}}},
      {"side",
       {{"library"},
        {"engine"},
        {"description"},
        {"name"},
        {"server"},
        {"backend"},
        {"config"},
        {"env"},
        {"library_path"},
        {"memory_limit"}}},
      {"server",
       {{"command", true},
        {"environment"},
        {"working_directory"},
        {"port"},
        {"ready"},
        {"stop"},
        {"counters"},
        {"log"}}},
      {"ready", {{"path"}, {"seconds"}}},
      {"stop", {{"signal"}, {"seconds"}}},
      {"counters", {{"path"}}},
      {"ranks", {{"count"}, {"in"}}},
      {"spill", {{"folder", true}, {"budget", true}}},
      {"span", {{"program", true}, {"reference", true}, {"candidate", true}}},
      {"workload", {{"seed"}, {"prompts"}, {"chunk"}, {"decode_steps"}, {"batches"}}},
      {"tokens", {{"least"}, {"end"}, {"choice"}, {"fixture"}}},
      {"kv", {{"lanes", true}, {"by"}, {"variants"}, {"without"}}},
      {"left_out", {{"cases", true}, {"reason", true}}},
      {"variant", {{"reference"}, {"candidate"}}},
      {"variant_side", {{"config"}, {"description"}, {"other_weights"}}},
      {"wire", {{"probes", true}, {"refusals"}, {"surfaces"}}},
      {"judge",
       {{"spans"},
        {"kl"},
        {"repeats"},
        {"noisy_repeats"},
        {"spread_factor"},
        {"margin"},
        {"self"},
        {"causality"},
        {"changed"},
        {"tolerances"}}},
      {"tolerance",
       {{"program"},
        {"span"},
        {"buffer"},
        {"nrmse"},
        {"max_ulp"},
        {"reason", true},
        {"until", true}}},
  };
  return sections;
}

const ManifestSection& FindManifestSection(const std::string& name) {
  for (const ManifestSection& section : ManifestSections()) {
    if (section.name == name) return section;
  }
  throw std::out_of_range("no manifest section " + name);
}

}  // namespace parity
