#include "gtest_parity/engines/llama_cpp/devices.h"

#include <algorithm>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/log_tail.h"
#include "gtest_parity/engines/llama_cpp/nearest.h"

namespace parity::llama_cpp {
namespace {

using AddServer = ggml_backend_reg_t (*)(const char* endpoint);
using AddDevice = ggml_backend_dev_t (*)(const char* endpoint);

// One server may have several devices; older versions know one each.
std::vector<ggml_backend_dev_t> DevicesAt(const std::string& endpoint) {
  const ggml_backend_reg_t rpc = ggml_backend_reg_by_name("RPC");
  if (rpc == nullptr) {
    throw Unsupported("config.rpc: this llama.cpp was built without RPC (GGML_RPC)");
  }
  std::vector<ggml_backend_dev_t> devices;
  if (void* add = ggml_backend_reg_get_proc_address(rpc, "ggml_backend_rpc_add_server")) {
    const ggml_backend_reg_t server = reinterpret_cast<AddServer>(add)(endpoint.c_str());
    const std::size_t count = server == nullptr ? 0 : ggml_backend_reg_dev_count(server);
    for (std::size_t i = 0; i < count; ++i) devices.push_back(ggml_backend_reg_dev_get(server, i));
  } else if (void* add_one =
                 ggml_backend_reg_get_proc_address(rpc, "ggml_backend_rpc_add_device")) {
    devices.push_back(reinterpret_cast<AddDevice>(add_one)(endpoint.c_str()));
  }
  if (devices.empty() || devices.front() == nullptr) {
    throw Failed("config.rpc: no devices at " + endpoint + "; " + LogTail());
  }
  return devices;
}

}  // namespace

std::vector<ggml_backend_dev_t> FindDevices(const std::vector<std::string>& names,
                                            const std::vector<std::string>& endpoints) {
  std::vector<ggml_backend_dev_t> known;
  for (const std::string& endpoint : endpoints) {
    for (const ggml_backend_dev_t device : DevicesAt(endpoint)) known.push_back(device);
  }
  if (names.empty()) return known;
  for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    known.push_back(ggml_backend_dev_get(i));
  }
  std::vector<ggml_backend_dev_t> devices;
  std::vector<std::string> known_names;
  for (const ggml_backend_dev_t device : known)
    known_names.push_back(ggml_backend_dev_name(device));
  for (const std::string& name : names) {
    const auto found = std::find(known_names.begin(), known_names.end(), name);
    if (found == known_names.end()) {
      throw Invalid("config.devices: no device \"" + name + "\", there are " + Joined(known_names));
    }
    devices.push_back(known[static_cast<std::size_t>(found - known_names.begin())]);
  }
  return devices;
}

}  // namespace parity::llama_cpp
