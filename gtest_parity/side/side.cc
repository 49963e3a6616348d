#include "gtest_parity/side/side.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "gtest_parity/manifest/diff_descriptions.h"
#include "gtest_parity/side/watch.h"

namespace parity {
namespace {

// The run that was staged when the instruction (1 + index) was carried out.
std::string RunAt(const Script& script, std::uint32_t instruction) {
  std::string run;
  for (std::uint32_t i = 0; i < instruction && i < script.instructions().size(); ++i) {
    const Instruction& at = script.instructions()[i];
    if (at.what == Do::kStage) run = at.step->run;
  }
  return run;
}

std::string OpAt(const Description& description, const Script& script, std::uint32_t instruction,
                 std::uint64_t op) {
  if (instruction == 0 || instruction > script.instructions().size()) return "";
  const Instruction& at = script.instructions()[instruction - 1];
  if (at.what != Do::kRun) return "";
  if (op == 0 && at.hi - at.lo == 1) op = at.lo + 1;
  const Program* program = description.FindProgram(at.program);
  if (program == nullptr || op == 0 || op > program->ops.size()) return "";
  return program->ops[op - 1].label;
}

}  // namespace

Death DescribeDeath(Death::Cause cause, std::string what, const Description& description,
                    const std::vector<Script>& scripts, const std::vector<int>& ranks,
                    const std::vector<std::uint32_t>& instructions,
                    const std::vector<std::uint64_t>& ops) {
  Death death;
  death.cause = cause;
  death.what = std::move(what);
  death.ranks = ranks;
  if (ranks.empty() || scripts.empty()) return death;
  const auto rank = static_cast<std::size_t>(ranks.front());
  death.run = RunAt(scripts[rank], instructions[rank]);
  death.op = OpAt(description, scripts[rank], instructions[rank], ops[rank]);
  return death;
}

std::vector<WatchedTensor> WatchedTensors(const Description& description) {
  std::vector<WatchedTensor> watched;
  for (const auto& [name, tensor] : description.tensors) {
    if (tensor.role == Role::kScratch || tensor.role == Role::kSync) continue;
    watched.push_back({{tensor.kind, name, tensor.dtype}, tensor.role == Role::kInput});
  }
  return watched;
}

void CheckDescription(const SideOptions& side, const std::string& from_engine) {
  nlohmann::json description;
  try {
    description = nlohmann::json::parse(from_engine);
  } catch (const nlohmann::json::exception& error) {
    throw SetupError("the " + side.name +
                     "'s engine describes itself with what is no JSON: " + error.what());
  }
  const std::string difference = DiffDescriptions(side.description_json, description);
  if (!difference.empty()) {
    throw SetupError("the " + side.name + "'s checked-in description is stale:\n" + difference);
  }
}

std::vector<std::string> MappedObjectsOf(int pid) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::vector<std::string> objects;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string addresses, permissions, offset, device, inode, path;
    words >> addresses >> permissions >> offset >> device >> inode;
    std::getline(words >> std::ws, path);
    if (permissions.find('x') == std::string::npos || path.empty() || path[0] != '/') continue;
    if (path.starts_with("/usr/") || path.starts_with("/lib")) continue;
    objects.push_back(path);
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  return objects;
}

}  // namespace parity
