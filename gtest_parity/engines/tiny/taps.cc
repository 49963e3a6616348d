#include "gtest_parity/engines/tiny/taps.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

constexpr std::size_t kAlignment = 64;

bool Names(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void CheckTaps(const Taps& taps, const ProgramSpec& program) {
  for (const parity_tap& tap : taps.taps) {
    if (tap.kind != PARITY_BUFFER) {
      throw EngineError(PARITY_UNSUPPORTED,
                        "a tap on \"" + std::string(tap.name) + "\": states cannot be tapped");
    }
    if (tap.op >= program.ops.size()) {
      throw Invalid("a tap on op " + std::to_string(tap.op) + " of " + program.name +
                    ", which has " + std::to_string(program.ops.size()));
    }
    const OpSpec& op = program.ops[tap.op];
    if (!Names(op.writes, tap.name) && !Names(op.updates, tap.name)) {
      throw Invalid("a tap on \"" + std::string(tap.name) + "\", which op " + op.label +
                    " does not write");
    }
  }
}

bool Taps::Look(std::uint32_t op) const {
  return std::any_of(taps.begin(), taps.end(), [op](const auto& tap) { return tap.op == op; });
}

void Taps::Show(std::uint32_t op, const Memory& memory, bool hide_writes) const {
  for (std::uint32_t i = 0; i < taps.size(); ++i) {
    if (taps[i].op != op) continue;
    const Operand tensor = memory.Get(taps[i].name);
    const std::uint64_t bytes = tensor.Elements() * BytesOf(tensor.dtype);
    const auto free = [](void* data) { ::operator delete (data, std::align_val_t{kAlignment}); };
    const std::unique_ptr<void, decltype(free)> copy(
        ::operator new (bytes, std::align_val_t{kAlignment}), free);
    std::memcpy(copy.get(), tensor.data, bytes);
    parity_region region = {};
    region.struct_size = sizeof(region);
    region.memory = PARITY_MEMORY_HOST;
    region.device = -1;
    region.data = copy.get();
    region.live_bytes = bytes;
    if (callback(user, i, &region) != PARITY_OK) {
      throw EngineError(PARITY_CANCELLED,
                        "the tap on \"" + std::string(taps[i].name) + "\" ended the run");
    }
    if (!hide_writes) std::memcpy(tensor.data, copy.get(), bytes);
  }
}

}  // namespace parity::tiny
