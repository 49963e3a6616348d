#include "suites/wire/http/content_coding.h"

#define ZLIB_CONST  // it only reads its input
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace parity::wire {
namespace {

// No answer is longer; a few bytes of a coded body may claim to be any size.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// One zlib or gzip stream, in as many parts as it came in.
class Inflater {
 public:
  Inflater() {
    // Tells the two formats apart by their first bytes.
    constexpr int kEitherFormat = 32 + MAX_WBITS;
    if (inflateInit2(&stream_, kEitherFormat) != Z_OK) error_ = "zlib cannot be started";
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void Take(std::string_view coded, std::string* body) {
    std::array<unsigned char, 16 * 1024> room;
    stream_.next_in = reinterpret_cast<const Bytef*>(coded.data());
    stream_.avail_in = static_cast<uInt>(coded.size());
    while (error_.empty() && !ended_ && stream_.avail_in != 0) {
      stream_.next_out = room.data();
      stream_.avail_out = room.size();
      const int result = inflate(&stream_, Z_NO_FLUSH);
      body->append(reinterpret_cast<const char*>(room.data()), room.size() - stream_.avail_out);
      ended_ = result == Z_STREAM_END;
      if (result != Z_OK && !ended_) error_ = stream_.msg == nullptr ? "bad data" : stream_.msg;
      if (body->size() > kMostBytes) error_ = "more than 256 MiB";
    }
    if (ended_ && stream_.avail_in != 0) error_ = "bytes behind its end";
  }

  // In words; empty: all that was taken is a whole stream, or its beginning.
  const std::string& error() const { return error_; }
  bool ended() const { return ended_; }

 private:
  z_stream stream_ = {};
  std::string error_;
  bool ended_ = false;
};

std::string Inflate(Response* response) {
  const std::string coded = std::move(response->body);
  response->body.clear();
  Inflater inflater;
  for (std::size_t i = 0; i < response->pieces.size(); ++i) {
    BodyPiece& piece = response->pieces[i];
    const std::size_t begin = piece.body_offset;
    const bool last = i + 1 == response->pieces.size();
    const std::size_t end = last ? coded.size() : response->pieces[i + 1].body_offset;
    piece.body_offset = response->body.size();
    inflater.Take(std::string_view(coded).substr(begin, end - begin), &response->body);
  }
  if (!inflater.error().empty()) return inflater.error();
  return response->complete && !inflater.ended() ? "ends early" : "";
}

}  // namespace

void TakeCodingOff(Response* response) {
  const std::string* coding = response->Find("content-encoding");
  if (coding == nullptr || response->framing == Framing::kNoBody) return;
  response->coding = Lower(*coding);
  if (response->coding == "identity") {
    response->coding.clear();
  } else if (response->coding == "gzip" || response->coding == "x-gzip" ||
             response->coding == "deflate") {
    response->coding_error = Inflate(response);
  } else if (!response->coding.empty()) {
    response->body.clear();
    response->pieces.clear();
    response->coding_error = "a coding that cannot be taken off here";
  }
}

}  // namespace parity::wire
