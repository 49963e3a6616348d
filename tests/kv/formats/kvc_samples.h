// Small KVC records to start from, and what a decoder makes of bytes in memory.
#ifndef GTEST_PARITY_TESTS_KV_FORMATS_KVC_SAMPLES_H_
#define GTEST_PARITY_TESTS_KV_FORMATS_KVC_SAMPLES_H_

#include <string>
#include <vector>

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/kvc_format.h"
#include "suites/kv/formats/kvc_name.h"
#include "suites/kv/formats/kvc_reason.h"
#include "suites/kv/formats/kvc_writer.h"
#include "suites/kv/formats/record_format.h"

namespace parity::kv {

using Bytes = std::vector<std::uint8_t>;

inline KvcPayload SamplePayload() {
  KvcPayload payload;
  payload.words = {kKvcPayloadMagic, 3, 8192, 256, 8, 4, 16, 3, 2, 64, 32, 5, 3};
  payload.token_ids = {1, 17, 511};
  payload.logits = {0x3f000000, 0xbfa00000, 0x40000000, 0x80000000, 0x40490fdb};
  payload.compressed_counts = {1, 0};
  payload.indexer_counts = {0, 2};
  payload.layers = {0xde, 0xad, 0xbe, 0xef, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77};
  return payload;
}

// The record of serial_abi2.hex.
inline KvcParts SampleParts() {
  KvcParts parts;
  parts.header = {2, 3, 0, 3, 3, 7, 8192, 2, 0, 1764500000, 1764503600, 0, 0};
  parts.text = "Hello, KV.\n";
  parts.payload = WriteKvcPayload(SamplePayload());
  return parts;
}

inline Record Decode(const RecordFormat& format, Bytes bytes, const std::string& name = "") {
  MemoryBytes memory(std::move(bytes));
  return format.Decode(&memory, name);
}

inline Record DecodeKvc(Bytes bytes, const std::string& name = "") {
  return Decode(KvcFormat(), std::move(bytes), name);
}

inline void Put(std::uint64_t value, std::size_t width, std::size_t offset, Bytes* bytes) {
  StoreUnsigned(value, std::span(*bytes).subspan(offset, width));
}

// "bad_quant zero_tokens": all problems, refusing or not, in order.
inline std::string ProblemsOf(const Record& record) {
  std::string text;
  for (const Problem& problem : record.problems) {
    text += (text.empty() ? "" : " ") + std::string(NameOf(problem.kind));
  }
  return text;
}

// Fields and leaf sections must cover each byte of the file, and no two leaf sections one byte.
inline std::string TilingErrorOf(const Record& record) {
  std::vector<int> sections(record.size), fields(record.size);
  for (const Section* section : LeafSections(record)) {
    for (std::uint64_t at = section->offset; at < section->offset + section->bytes; ++at) {
      if (at >= record.size) return section->name + " leaves the file";
      ++sections[at];
    }
  }
  for (const Field& field : record.fields) {
    for (std::uint64_t at = field.offset; at < field.offset + field.bytes; ++at) {
      if (at >= record.size) return field.name + " leaves the file";
      ++fields[at];
    }
  }
  for (std::uint64_t at = 0; at < record.size; ++at) {
    if (sections[at] + fields[at] == 0) return "nothing covers byte " + std::to_string(at);
    if (sections[at] > 1) return "two sections cover byte " + std::to_string(at);
  }
  return "";
}

}  // namespace parity::kv

#endif  // GTEST_PARITY_TESTS_KV_FORMATS_KVC_SAMPLES_H_
