#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server::reference {

std::string FinishReason(Finish finish) {
  if (finish == Finish::kToolCalls) return "tool_calls";
  return finish == Finish::kLength ? "length" : "stop";
}

Json OpenAiUsage(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt},
          {"completion_tokens", usage.output},
          {"total_tokens", usage.prompt + usage.output},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached}}},
          {"completion_tokens_details", {{"reasoning_tokens", usage.reasoning}}}};
}

Json OpenAiError(const WireError& error) {
  Json told = {{"message", error.what()}, {"type", OpenAiErrorType(error.status)}};
  told["param"] = error.param.empty() ? Json() : Json(error.param);
  told["code"] = error.code.empty() ? Json() : Json(error.code);
  return told;
}

std::vector<std::string> Pieces(const std::string& text, std::size_t characters) {
  std::vector<std::string> pieces;
  std::size_t begun = characters;
  for (const char byte : text) {
    const bool begins = (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    if (begins && begun == characters) {
      pieces.emplace_back();
      begun = 0;
    }
    if (begins) ++begun;
    pieces.back() += byte;
  }
  return pieces;
}

}  // namespace parity::tiny_server::reference
