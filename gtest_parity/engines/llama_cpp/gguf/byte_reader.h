// Takes a file apart from its front; no length is believed before the file has it.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_BYTE_READER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_BYTE_READER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace parity::gguf {

// `what` in each call is what is read, for the message of the InvalidInput that says it is not
// there.
class ByteReader {
 public:
  ByteReader(const std::string& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  const std::string& file() const { return file_; }
  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return bytes_.size() - at_; }

  std::string_view Take(std::uint64_t count, const std::string& what);
  std::uint32_t U32(const std::string& what);
  std::uint64_t U64(const std::string& what);
  // A u64 length and so many bytes.
  std::string_view Text(const std::string& what);
  // What was taken since the reader was at `from`.
  std::string_view Since(std::uint64_t from) const { return bytes_.substr(from, at_ - from); }

 private:
  std::uint64_t Number(std::uint64_t width, const std::string& what);

  std::string file_;
  std::string_view bytes_;
  std::uint64_t at_ = 0;
};

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_BYTE_READER_H_
