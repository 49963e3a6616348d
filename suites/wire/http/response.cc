#include "suites/wire/http/response.h"

#include <http_parser.h>
#include <strings.h>

#include <algorithm>
#include <array>

#include "suites/wire/http/content_coding.h"

namespace parity::wire {
namespace {

bool SameName(std::string_view a, std::string_view b) {
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the length goes with it
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// One response; the parser stops behind it.
class ResponseParser {
 public:
  ResponseParser(const std::string& bytes, std::size_t begin, const std::string& method)
      : bytes_(bytes), is_head_(method == "HEAD") {
    response_.begin = begin;
    http_parser_init(&parser_, HTTP_RESPONSE);
    parser_.data = this;
    // Both headers at once are for the rules to tell.
    parser_.allow_chunked_length = 1;
  }

  void Run(bool ended) {
    const http_parser_settings settings = Settings();
    const std::size_t size = bytes_.size() - response_.begin;
    const std::size_t parsed =
        http_parser_execute(&parser_, &settings, bytes_.data() + response_.begin, size);
    response_.end = response_.begin + parsed;
    const bool whole = parsed == size && Errno() == HPE_OK;
    if (ended && whole && !response_.complete) http_parser_execute(&parser_, &settings, "", 0);
    // Where the connection is upgraded the parser leaves what follows alone.
    response_.keeps_alive = has_head_ && http_should_keep_alive(&parser_) != 0;
  }

  bool has_head() const { return has_head_; }
  std::string Error() const {
    if (Errno() == HPE_OK || Errno() == HPE_PAUSED) return "";
    return http_errno_description(Errno());
  }
  Response Take() { return std::move(response_); }

 private:
  static ResponseParser& Of(http_parser* parser) {
    return *static_cast<ResponseParser*>(parser->data);
  }

  http_errno Errno() const { return HTTP_PARSER_ERRNO(&parser_); }

  static http_parser_settings Settings() {
    http_parser_settings settings;
    http_parser_settings_init(&settings);
    settings.on_header_field = [](http_parser* parser, const char* at, std::size_t length) {
      return Of(parser).OnName({at, length});
    };
    settings.on_header_value = [](http_parser* parser, const char* at, std::size_t length) {
      return Of(parser).OnValue({at, length});
    };
    settings.on_headers_complete = [](http_parser* parser) { return Of(parser).OnHead(); };
    settings.on_chunk_header = [](http_parser* parser) { return Of(parser).OnChunk(); };
    settings.on_body = [](http_parser* parser, const char* at, std::size_t length) {
      return Of(parser).OnBody({at, length});
    };
    settings.on_message_complete = [](http_parser* parser) { return Of(parser).OnEnd(); };
    return settings;
  }

  std::vector<Header>& Headers() { return has_head_ ? response_.trailers : response_.headers; }

  int OnName(std::string_view text) {
    if (!in_name_) Headers().emplace_back();
    in_name_ = true;
    Headers().back().name += text;
    return 0;
  }

  int OnValue(std::string_view text) {
    in_name_ = false;
    Headers().back().value += text;
    return 0;
  }

  int OnHead() {
    has_head_ = true;
    in_name_ = false;
    response_.status = parser_.status_code;
    response_.major = parser_.http_major;
    response_.minor = parser_.http_minor;
    const unsigned status = response_.status;
    if (is_head_ || status < 200 || status == 204 || status == 304) {
      response_.framing = Framing::kNoBody;
      return 1;
    }
    if ((parser_.flags & F_CHUNKED) != 0) {
      response_.framing = Framing::kChunked;
    } else if ((parser_.flags & F_CONTENTLENGTH) != 0) {
      response_.framing = Framing::kLength;
      response_.declared_length = parser_.content_length;
    } else {
      response_.framing = Framing::kUntilClose;
    }
    return 0;
  }

  int OnChunk() {
    if (parser_.content_length != 0) response_.chunks.push_back(parser_.content_length);
    return 0;
  }

  int OnBody(std::string_view text) {
    const auto offset = static_cast<std::size_t>(text.data() - bytes_.data());
    response_.pieces.push_back({response_.body.size(), offset});
    response_.body += text;
    return 0;
  }

  int OnEnd() {
    response_.complete = true;
    http_parser_pause(&parser_, 1);
    return 0;
  }

  const std::string& bytes_;
  bool is_head_, has_head_ = false, in_name_ = false;
  http_parser parser_;
  Response response_;
};

}  // namespace

const std::string* Response::Find(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const Header& header) {
    return SameName(header.name, name);
  });
  return found == headers.end() ? nullptr : &found->value;
}

std::size_t Response::WireOffset(std::size_t body_offset) const {
  const auto after = std::upper_bound(
      pieces.begin(), pieces.end(), body_offset,
      [](std::size_t offset, const BodyPiece& piece) { return offset < piece.body_offset; });
  if (after == pieces.begin()) return end;
  if (!coding.empty()) return std::prev(after)->wire_offset;
  return std::prev(after)->wire_offset + (body_offset - std::prev(after)->body_offset);
}

std::vector<const Response*> ResponseStream::Answers() const {
  std::vector<const Response*> answers;
  for (const Response& response : responses) {
    if (!response.IsInterim()) answers.push_back(&response);
  }
  return answers;
}

ResponseStream ParseResponses(const std::string& bytes, bool ended,
                              const std::vector<std::string>& methods) {
  ResponseStream stream;
  std::size_t at = 0, answers = 0;
  while (at < bytes.size()) {
    ResponseParser parser(bytes, at, answers < methods.size() ? methods[answers] : "");
    parser.Run(ended);
    std::string error = parser.Error();
    Response response = parser.Take();
    response.body_bytes = response.body.size();
    TakeCodingOff(&response);
    if (!parser.has_head()) {
      stream.error = error.empty() ? "ends inside a head" : error;
      stream.error_at = response.end;
      stream.rest = bytes.substr(at);
      break;
    }
    answers += response.IsInterim() ? 0 : 1;
    at = response.end;
    const bool complete = response.complete;
    if (!complete) {
      stream.error = error.empty() ? "the connection did not end the body" : error;
      stream.error_at = at;
      stream.rest = bytes.substr(at);
    }
    stream.responses.push_back(std::move(response));
    if (!complete) break;
  }
  return stream;
}

std::string_view NameOf(Framing framing) {
  constexpr std::array<std::string_view, 4> kNames = {"no body", "Content-Length", "chunked",
                                                      "until close"};
  return kNames[static_cast<std::size_t>(framing)];
}

}  // namespace parity::wire
