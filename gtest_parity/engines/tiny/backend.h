// Where an engine's tensors lie and its ops run.
#ifndef GTEST_PARITY_ENGINES_TINY_BACKEND_H_
#define GTEST_PARITY_ENGINES_TINY_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity::tiny {

struct EngineSpec;

// All but `Cancel` throw EngineError. Copies are in order with the ops; those with the host's own
// memory have waited.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual parity_memory memory() const = 0;
  virtual std::int32_t device() const = 0;               // CUDA ordinal, -1: none
  virtual void* stream() const = 0;                      // a cudaStream_t, or NULL
  virtual std::byte* Allocate(std::uint64_t bytes) = 0;  // zeroed, aligned to 64 bytes
  virtual void Free(std::byte* data) noexcept = 0;
  virtual void Zero(std::byte* data, std::uint64_t bytes) = 0;
  virtual void Copy(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void Write(void* to, const void* host, std::uint64_t bytes) = 0;
  // What ops came to that have been started.
  virtual void Synchronize() = 0;
  // Ends a Synchronize that waits for another rank. From any thread.
  virtual void Cancel() {}
  // Does what `ops` does, which is the same for equal keys: as one captured graph where the backend
  // has such.
  virtual void RunCaptured(const std::string& key, const std::function<void()>& ops) = 0;
  // Stores to where nothing is, as an op would by mistake.
  virtual void StoreNowhere() = 0;
};

using MakeBackend = std::unique_ptr<Backend> (*)(const parity_create_args& args,
                                                 const EngineSpec& spec);

std::unique_ptr<Backend> MakeHostBackend(const parity_create_args& args, const EngineSpec& spec);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_BACKEND_H_
