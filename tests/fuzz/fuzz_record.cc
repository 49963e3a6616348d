// Saved KV state: any bytes are taken apart by every format, into parts that lie within them, leave
// nothing out and are the same as themselves; as a description they are read or refused with
// InvalidInput.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/kv/formats/compare_records.h"
#include "suites/kv/formats/kvc_trailer.h"
#include "suites/kv/formats/record_format.h"
#include "suites/kv/formats/yaml_format.h"

namespace {

using parity::kv::Record;

constexpr char kDescribed[] = R"(
record_format: 1
name: fuzzed
endian: big
fields:
  - {name: count, at: 0, type: u64, role: count}
  - {name: bytes, at: 8, type: u32, volatile: true}
  - {name: inner, in: counted, at: 3, type: f32, min: 0}
sections:
  - {name: counted, at: 12, length: count, each: 3}
  - {name: sized, length: bytes}
  - {name: rest, length: rest}
file_name: {sha1: sized, suffix: .kv}
)";

bool Lies(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

void Check(const parity::kv::RecordFormat& format, const std::vector<std::uint8_t>& bytes) {
  parity::kv::MemoryBytes memory(bytes);
  const Record record = format.Decode(&memory, "a9993e364706816aba3e25717850c26c9cd0d89d.kv");
  for (const auto& field : record.fields) {
    if (!Lies(field.offset, field.bytes, bytes.size())) std::abort();
  }
  for (const auto& section : record.sections) {
    if (!Lies(section.offset, section.bytes, bytes.size())) std::abort();
  }
  for (const auto& [id, block] : parity::kv::KvcToolMapOf(record)) {
    if (!Lies(block.offset, block.bytes, bytes.size())) std::abort();
  }
  Record whole = record;
  parity::kv::AddGaps(&whole);
  if (whole.sections.size() != record.sections.size()) std::abort();
  const auto comparison = parity::kv::CompareRecords({&memory, &record}, {&memory, &record});
  if (!comparison.same() || parity::kv::TextOf(comparison).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes(data, data + size);
  for (const std::string& name : parity::kv::RecordFormatNames()) {
    Check(*parity::kv::MakeRecordFormat(name), bytes);
  }
  Check(parity::kv::YamlFormat(parity::kv::ReadRecordDescriptionText("fuzz.yaml", kDescribed)),
        bytes);
  try {
    const std::string text(bytes.begin(), bytes.end());
    Check(parity::kv::YamlFormat(parity::kv::ReadRecordDescriptionText("fuzz.yaml", text)), bytes);
  } catch (const parity::InvalidInput&) {
  }
  return 0;
}
