// The memory of one rank: every declared tensor at its largest, apart from all others.
#ifndef GTEST_PARITY_ENGINES_TINY_MEMORY_H_
#define GTEST_PARITY_ENGINES_TINY_MEMORY_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/backend.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

class Memory {
 public:
  // Allocates all tensors of `spec`, zeroed and aligned to 64 bytes. `spec` and `backend` must
  // outlive this.
  Memory(const EngineSpec& spec, std::uint64_t ranks, Backend& backend);

  // The shape that row- and sequence-shaped tensors have from now on.
  void SetStep(std::uint64_t rows, std::uint64_t sequences);
  bool Has(const std::string& name) const { return tensors_.contains(name); }
  const Extents& extents() const { return extents_; }

  // A tensor at the present step. Throws EngineError (PARITY_INVALID) if there is none.
  Operand Get(parity_kind kind, const std::string& name) const;
  // Buffers and states share one name space; of a slice it is the tensor.
  Operand Get(const std::string& name) const;

  Backend& backend() const { return backend_; }
  // The first bytes of a tensor, from the host's memory.
  void Write(const std::string& name, const void* host, std::uint64_t bytes) const {
    backend_.Write(Get(name).data, host, bytes);
  }

  // Zeroes every tensor but the constants.
  void Clear();

 private:
  struct Free {
    Backend* backend;
    void operator()(std::byte* data) const { backend->Free(data); }
  };
  struct Tensor {
    const TensorSpec* spec = nullptr;
    parity_kind kind = PARITY_BUFFER;
    std::unique_ptr<std::byte, Free> data;
    std::uint64_t bytes = 0;
  };

  void Add(const TensorSpec& spec, parity_kind kind);
  Operand View(const Tensor& tensor) const;

  Backend& backend_;
  Extents extents_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_MEMORY_H_
