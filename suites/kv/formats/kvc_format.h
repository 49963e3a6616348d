// KVC checkpoints: header, text, payload, tool map, identity.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_FORMAT_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_FORMAT_H_

#include <optional>
#include <string>

#include "suites/kv/formats/kvc_generation.h"
#include "suites/kv/formats/record_format.h"

namespace parity::kv {

class KvcFormat : public RecordFormat {
 public:
  // Each record as the reader of its own generation takes it: byte 20 of 0 is upstream's.
  KvcFormat() = default;
  // Every record as the reader of one generation takes it.
  explicit KvcFormat(const KvcGeneration& generation) : generation_(generation) {}

  std::string name() const override;
  bool Recognises(std::span<const std::uint8_t> first, const std::string& file_name) const override;
  Record Decode(RecordBytes* bytes, const std::string& file_name) const override;

 private:
  std::optional<KvcGeneration> generation_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_FORMAT_H_
