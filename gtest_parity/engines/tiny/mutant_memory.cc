// Mutants that touch memory they should not, or leave alone what they should write.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

constexpr char kRecording[] = "memfd:parity_recording";

std::uint64_t Bytes(const Operand& operand) { return operand.Elements() * BytesOf(operand.dtype); }

std::span<std::byte> Contents(const Operand& operand) {
  return {operand.As<std::byte>(), Bytes(operand)};
}

void Save(MutantCall& call, const Operand& operand) {
  const std::span<std::byte> contents = Contents(operand);
  call.saved.assign(contents.begin(), contents.end());
}

}  // namespace

void ReadStalePage(MutantCall& call) {
  const Operand table = call.memory.Get("block_table");
  Save(call, table);
  if (call.program != "decode") return;
  const Operand positions = call.memory.Get("positions");
  const std::int32_t* row_seq = call.memory.Get("row_seq").As<std::int32_t>();
  for (std::uint64_t row = 0; row < positions.Elements(); ++row) {
    const auto position = static_cast<std::uint64_t>(positions.As<std::int32_t>()[row]);
    const std::uint64_t page = position / kPageTokens;
    if (page == 0 || position % kPageTokens != 0) continue;
    std::int32_t* pages =
        table.As<std::int32_t>() + static_cast<std::uint64_t>(row_seq[row]) * table.dims[1];
    pages[page] = pages[page - 1];
  }
}

void RestorePages(MutantCall& call) {
  const Operand table = call.memory.Get("block_table");
  std::memcpy(table.data, call.saved.data(), call.saved.size());
}

// The next row's key and value are in the cache already: they were appended with this step.
void LookOneAhead(MutantCall& call) {
  const Operand positions = call.memory.Get("positions");
  Save(call, positions);
  const std::int32_t* row_seq = call.memory.Get("row_seq").As<std::int32_t>();
  for (std::uint64_t row = 0; row + 1 < positions.Elements(); ++row) {
    if (row_seq[row] == row_seq[row + 1]) ++positions.As<std::int32_t>()[row];
  }
}

void RestorePositions(MutantCall& call) {
  std::memcpy(call.memory.Get("positions").data, call.saved.data(), call.saved.size());
}

void SaveOutput(MutantCall& call) { Save(call, call.Output()); }

void RestoreLastColumn(MutantCall& call) {
  const Operand& output = call.Output();
  const std::uint64_t element = BytesOf(output.dtype);
  const std::uint64_t row_bytes = output.dims.back() * element;
  for (std::uint64_t end = row_bytes; end <= call.saved.size(); end += row_bytes) {
    std::memcpy(output.As<std::byte>() + end - element, call.saved.data() + end - element, element);
  }
}

void AddZeroTimesOld(MutantCall& call) {
  const Operand& output = call.Output();
  const std::uint64_t element = BytesOf(output.dtype);
  for (std::uint64_t i = 0; i < output.Elements(); ++i) {
    // Only what is not finite survives a multiplication by zero: as a NaN.
    std::uint32_t old = 0;
    std::memcpy(&old, call.saved.data() + i * element, element);
    const std::uint32_t exponent = element == 2 ? 0x7f80u : 0x7f800000u;
    if ((old & exponent) != exponent) continue;
    const std::uint32_t nan = element == 2 ? 0x7fc0u : 0x7fc00000u;
    std::memcpy(output.As<std::byte>() + i * element, &nan, element);
  }
}

void StoreElsewhere(MutantCall& call) {
  // The last page of a layer's values that no op in question declares.
  const Operand victim = call.memory.Get(call.op.layer == 0 ? "layer1.v" : "layer0.v");
  *(victim.As<std::byte>() + Bytes(victim) - 1) ^= std::byte{0x01};
}

void StoreIntoWeight(MutantCall& call) {
  ++*call.memory.Get("final_norm.weight").As<std::uint8_t>();
}

void Scribble(MutantCall&) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(kRecording) == std::string::npos) continue;
    unsigned long begin = 0;
    if (std::sscanf(line.c_str(), "%lx-", &begin) != 1) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is known as text only
    *reinterpret_cast<volatile char*>(begin) = '!';
  }
}

}  // namespace parity::tiny
