#include "gtest_parity/engine/plugin.h"

#include <dlfcn.h>

#include <filesystem>

#include "gtest_parity/engine/error.h"

namespace parity {
namespace {

[[noreturn]] void Invalid(const std::string& words) { throw EngineError(PARITY_INVALID, words); }

// The least a table can hold: up to the last required function.
constexpr size_t kLeastApiSize = offsetof(parity_engine_api, reset) + sizeof(void*);

void CheckEngine(const std::string& path, const parity_engine_api* api) {
  if (api == nullptr || api->struct_size < kLeastApiSize || api->name == nullptr) {
    Invalid(path + ": an engine table is missing, shorter than " + std::to_string(kLeastApiSize) +
            " bytes or without a name");
  }
  const struct {
    const char* name;
    bool present;
  } required[] = {
      {"describe", api->describe != nullptr},
      {"create", api->create != nullptr},
      {"destroy", api->destroy != nullptr},
      {"last_error", api->last_error != nullptr},
      {"region", api->region != nullptr},
      {"stage", api->stage != nullptr},
      {"run", api->run != nullptr},
      {"reset", api->reset != nullptr},
      {"synchronize", api->synchronize != nullptr},
  };
  const bool reaches_taps =
      api->struct_size >= offsetof(parity_engine_api, run_tapped) + sizeof(void*);
  if ((api->traits & PARITY_TAP_ONLY) != 0 && (!reaches_taps || api->run_tapped == nullptr)) {
    Invalid(path + ": engine '" + api->name +
            "' is PARITY_TAP_ONLY and lacks the required function 'run_tapped'");
  }
  for (const auto& function : required) {
    if (!function.present) {
      Invalid(path + ": engine '" + api->name + "' lacks the required function '" + function.name +
              "'");
    }
  }
}

}  // namespace

std::string_view NameOf(parity_status status) {
  switch (status) {
    case PARITY_OK:
      return "ok";
    case PARITY_FAILED:
      return "failed";
    case PARITY_INVALID:
      return "invalid";
    case PARITY_UNSUPPORTED:
      return "unsupported";
    case PARITY_REFUSED:
      return "refused";
    case PARITY_OUT_OF_MEMORY:
      return "out of memory";
    case PARITY_CANCELLED:
      return "cancelled";
    case PARITY_DEVICE_LOST:
      return "device lost";
  }
  return "unknown status";
}

Plugin::Plugin(const std::string& path) : path_(path) {
  if (!std::filesystem::exists(path)) Invalid(path + ": no such file, expected an engine plugin");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Invalid(std::string("cannot load the plugin: ") + dlerror());
  auto function = reinterpret_cast<parity_plugin_function>(dlsym(library, PARITY_PLUGIN_SYMBOL));
  if (function == nullptr) {
    Invalid(path + ": not an engine plugin, it does not export '" PARITY_PLUGIN_SYMBOL "'");
  }
  table_ = function();
  if (table_ == nullptr) Invalid(path + ": '" PARITY_PLUGIN_SYMBOL "' returned no table");
  if (table_->abi_version != PARITY_ABI_VERSION) {
    Invalid(path + ": built for version " + std::to_string(table_->abi_version) +
            " of engine.h, expected version " + std::to_string(PARITY_ABI_VERSION));
  }
  if (table_->struct_size < sizeof(*table_) ||
      (table_->engine_count != 0 && table_->engines == nullptr)) {
    Invalid(path + ": the plugin's table is shorter than " + std::to_string(sizeof(*table_)) +
            " bytes or has no list of engines");
  }
  for (uint32_t i = 0; i < table_->engine_count; ++i) CheckEngine(path, table_->engines[i]);
}

std::vector<std::string> Plugin::EngineNames() const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < table_->engine_count; ++i) names.push_back(table_->engines[i]->name);
  return names;
}

const parity_engine_api& Plugin::Find(const std::string& engine) const {
  std::string names;
  for (uint32_t i = 0; i < table_->engine_count; ++i) {
    if (engine == table_->engines[i]->name) return *table_->engines[i];
    names += (names.empty() ? "" : ", ") + std::string(table_->engines[i]->name);
  }
  Invalid(path_ + ": no engine '" + engine + "', it offers: " + (names.empty() ? "none" : names));
}

std::string DescribeEngine(const parity_engine_api& api, const std::string& config) {
  const char* text = nullptr;
  const parity_status status = api.describe(config.c_str(), &text);
  if (status != PARITY_OK) {
    throw EngineError(status, std::string("describe: ") + api.last_error(nullptr));
  }
  return text;
}

}  // namespace parity
