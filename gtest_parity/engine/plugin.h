// A shared library that offers engines through engine.h.
#ifndef GTEST_PARITY_ENGINE_PLUGIN_H_
#define GTEST_PARITY_ENGINE_PLUGIN_H_

#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

// Loaded once and never unloaded: engines leave threads and thread-local state behind.
class Plugin {
 public:
  // Throws EngineError(PARITY_INVALID): no such file, not a shared library, no plugin, another ABI
  // version, or an engine table without a required function.
  explicit Plugin(const std::string& path);

  // Throws EngineError(PARITY_INVALID) that lists the engines there are.
  const parity_engine_api& Find(const std::string& engine) const;
  std::vector<std::string> EngineNames() const;

 private:
  std::string path_;
  const parity_plugin_table* table_ = nullptr;
};

// The engine's description for a configuration, a JSON text. Throws EngineError.
std::string DescribeEngine(const parity_engine_api& api, const std::string& config);

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_PLUGIN_H_
