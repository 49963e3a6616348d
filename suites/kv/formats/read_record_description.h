// Reads a record description from YAML.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_READ_RECORD_DESCRIPTION_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_READ_RECORD_DESCRIPTION_H_

#include <string>

#include "suites/kv/formats/record_description.h"

namespace parity::kv {

// Throws InvalidInput with all that is wrong.
RecordDescription ReadRecordDescription(const std::string& path);

// A text that stands for a file called `name`.
RecordDescription ReadRecordDescriptionText(const std::string& name, const std::string& text);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_READ_RECORD_DESCRIPTION_H_
