#include "suites/wire/client/request_bytes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace parity::wire {
namespace {

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string Hex(std::size_t number) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof(digits), number, 16).ptr};
}

// Bare line feeds end lines of the head alone: chunks have their own syntax.
std::string ChunkedBody(const RequestBytes& request) {
  const RequestForm& form = request.form;
  std::string text;
  for (std::size_t at = 0; at < request.body.size(); at += form.chunk_bytes) {
    const std::string chunk = request.body.substr(at, form.chunk_bytes);
    text += Hex(chunk.size()) + form.chunk_extension + "\r\n" + chunk + "\r\n";
  }
  if (!form.malformed_chunk.empty()) return text + form.malformed_chunk;
  return text + "0\r\n" + (form.trailer.empty() ? "" : form.trailer + "\r\n") + "\r\n";
}

std::vector<std::pair<std::string, std::string>> HeadersOf(const RequestBytes& request) {
  const RequestForm& form = request.form;
  std::vector<std::pair<std::string, std::string>> headers = {{"Host", "127.0.0.1"}};
  headers.insert(headers.end(), request.headers.begin(), request.headers.end());
  const bool has_body = !request.body.empty() || request.method == "POST";
  const std::string length = std::to_string(form.length.value_or(request.body.size()));
  if (has_body) headers.emplace_back("Content-Type", "application/json");
  if (form.chunk_bytes != 0) headers.emplace_back("Transfer-Encoding", "chunked");
  if (has_body && (form.chunk_bytes == 0 || form.also_length)) {
    headers.emplace_back("Content-Length", length);
  }
  if (!form.trailer.empty()) {
    headers.emplace_back("Trailer", form.trailer.substr(0, form.trailer.find(':')));
  }
  if (form.expect_continue) headers.emplace_back("Expect", "100-continue");
  if (form.header_bytes != 0) headers.emplace_back("X-Fill", std::string(form.header_bytes, 'a'));
  return headers;
}

}  // namespace

std::string BytesOf(const RequestBytes& request) {
  const RequestForm& form = request.form;
  const std::string line_end = form.bare_line_feeds ? "\n" : "\r\n";
  std::string text = request.method + " " + request.path + form.query + " HTTP/1.1" + line_end;
  for (const auto& [name, value] : HeadersOf(request)) {
    text += (form.upper_case_names ? Upper(name) : name) + ": " + value + line_end;
  }
  text += line_end;
  return text + (form.chunk_bytes == 0 ? request.body : ChunkedBody(request));
}

}  // namespace parity::wire
