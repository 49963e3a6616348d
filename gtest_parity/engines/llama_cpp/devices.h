// Devices by the names that the configuration gives them.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_DEVICES_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_DEVICES_H_

#include <string>
#include <vector>

#include "ggml-backend.h"

namespace parity::llama_cpp {

// Those that are named, of the installation's own and of the RPC servers at `endpoints`; where none
// is named, all of the servers'. Throws EngineError that lists what there is.
std::vector<ggml_backend_dev_t> FindDevices(const std::vector<std::string>& names,
                                            const std::vector<std::string>& endpoints);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_DEVICES_H_
