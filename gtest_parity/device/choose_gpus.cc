#include <algorithm>
#include <cstdlib>

#include "gtest_parity/device/gpus.h"

namespace parity {
namespace {

std::string ListOf(const std::vector<Gpu>& gpus) {
  std::string list;
  for (const Gpu& gpu : gpus) list += (list.empty() ? "" : ", ") + gpu.uuid;
  return list;
}

// CTest's ids are in lower case, with underscores for what its format does not allow.
std::string AsResourceId(std::string uuid) {
  for (char& c : uuid) {
    if (c == '-') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return uuid;
}

const Gpu& Allotted(const std::vector<Gpu>& visible, const std::string& id) {
  for (const Gpu& gpu : visible) {
    if (id == std::to_string(gpu.ordinal) || AsResourceId(id) == AsResourceId(gpu.uuid)) return gpu;
  }
  throw GpuUnavailable("CTest allotted GPU '" + id + "', visible are " + ListOf(visible));
}

}  // namespace

std::vector<Gpu> ChooseGpus(const std::vector<Gpu>& visible, std::uint32_t ranks,
                            const std::vector<std::string>& allotted) {
  std::vector<Gpu> chosen;
  for (const std::string& id : allotted) chosen.push_back(Allotted(visible, id));
  if (allotted.empty()) chosen = visible;
  if (chosen.size() < ranks) {
    throw GpuUnavailable(std::to_string(ranks) + " ranks need as many GPUs, " +
                         (allotted.empty() ? "visible" : "allotted by CTest") + ": " +
                         std::to_string(chosen.size()) + " (" + ListOf(chosen) + ")");
  }
  chosen.resize(ranks);
  for (const Gpu& gpu : chosen) {
    if (gpu.shared) continue;
    throw GpuUnavailable(
        gpu.uuid +
        " is in an exclusive or prohibited compute mode: the judge, which keeps the "
        "recording, and the engine host are two processes (nvidia-smi -c DEFAULT)");
  }
  return chosen;
}

std::vector<std::string> AllottedGpus() {
  const char* count = std::getenv("CTEST_RESOURCE_GROUP_COUNT");
  std::vector<std::string> ids;
  for (int group = 0; count != nullptr && group < std::atoi(count); ++group) {
    const std::string name = "CTEST_RESOURCE_GROUP_" + std::to_string(group) + "_GPUS";
    const char* allotment = std::getenv(name.c_str());
    const std::string text = allotment == nullptr ? "" : allotment;
    if (!text.starts_with("id:")) continue;
    ids.push_back(text.substr(3, text.find(',') - 3));
  }
  return ids;
}

std::vector<Gpu> GpusForRanks(std::uint32_t ranks) {
  return ChooseGpus(VisibleGpus(), ranks, AllottedGpus());
}

}  // namespace parity
