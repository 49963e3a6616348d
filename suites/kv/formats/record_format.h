// A format of saved KV state: one plug-in tells its records from others and takes them apart.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_FORMAT_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_FORMAT_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suites/kv/formats/record.h"
#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  virtual std::string name() const = 0;

  // Whether a file that begins with `first` (kFirstBytes of it, or all where it is shorter) is
  // worth decoding. `file_name` has no folder.
  virtual bool Recognises(std::span<const std::uint8_t> first,
                          const std::string& file_name) const = 0;

  // Any bytes: what is wrong is among the record's problems. Reads fields and what must be hashed,
  // never what only has a length. Nothing is asked of the name where `file_name` is empty.
  virtual Record Decode(RecordBytes* bytes, const std::string& file_name) const = 0;
};

inline constexpr std::size_t kFirstBytes = 64;

// "kvc" (the generation by the record's ABI byte), "kvc_upstream" and "kvc_abi2" (as the reader of
// that generation takes it), "llama_state".
std::vector<std::string> RecordFormatNames();

// One of those, or what the YAML file at a path (it has a '/' or ends in .yaml) describes. Throws
// InvalidInput.
std::unique_ptr<RecordFormat> MakeRecordFormat(const std::string& name_or_path);

// A record in a file. `bytes` is null where the file could not be opened; the record says why.
struct RecordFile {
  std::unique_ptr<RecordBytes> bytes;
  Record record;
};
RecordFile ReadRecordFile(const RecordFormat& format, const std::string& path);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_FORMAT_H_
