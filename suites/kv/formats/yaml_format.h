// A format that a YAML file describes.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_YAML_FORMAT_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_YAML_FORMAT_H_

#include <string>
#include <utility>

#include "suites/kv/formats/read_record_description.h"
#include "suites/kv/formats/record_format.h"

namespace parity::kv {

class YamlFormat : public RecordFormat {
 public:
  explicit YamlFormat(RecordDescription description) : description_(std::move(description)) {}

  std::string name() const override { return description_.name; }
  // By the magic fields that lie within `first`, and where there are none by the name's suffix.
  bool Recognises(std::span<const std::uint8_t> first, const std::string& file_name) const override;
  Record Decode(RecordBytes* bytes, const std::string& file_name) const override;

 private:
  RecordDescription description_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_YAML_FORMAT_H_
