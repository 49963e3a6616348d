// Reads a file whose every part begins where the one before it ends.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_CURSOR_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>

#include "suites/kv/formats/record_reader.h"

namespace parity::kv {

class LlamaCursor {
 public:
  explicit LlamaCursor(RecordReader* reader) : reader_(reader) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return reader_->bytes()->size() - at_; }
  Record* record() { return reader_->record(); }

  // The next integer, as a field. Nothing, with a problem, where the file ends before it does.
  std::optional<std::uint64_t> Next(const std::string& name, std::size_t width,
                                    FieldRole role = FieldRole::kPlain,
                                    const std::string& section = "");

  // The next `count` things of `each` bytes, as a section.
  bool Section(const std::string& name, std::uint64_t count, std::uint64_t each = 1);

  // Cells of 8 bytes and 4 for each sequence id that the second word announces, as one section.
  bool Cells(const std::string& name, std::uint64_t count);

  // What is left becomes the section "rest".
  void Rest();

 private:
  RecordReader* reader_;
  std::uint64_t at_ = 0;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_CURSOR_H_
