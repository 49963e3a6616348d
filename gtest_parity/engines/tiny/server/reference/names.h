// Names and figures that the reference's projectors have in common.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_REFERENCE_NAMES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_REFERENCE_NAMES_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/projector.h"

namespace parity::tiny_server::reference {

// Of chat and completions: "stop", "length", "tool_calls".
std::string FinishReason(Finish finish);
Json OpenAiUsage(const Usage& usage);
Json OpenAiError(const WireError& error);
// Pieces of at most `characters`, none of which is cut.
std::vector<std::string> Pieces(const std::string& text, std::size_t characters);
inline constexpr std::size_t kArgumentPiece = 16;

std::unique_ptr<Projector> MakeChat(const AnswerHead& head);
std::unique_ptr<Projector> MakeCompletions(const AnswerHead& head);
std::unique_ptr<Projector> MakeMessages(const AnswerHead& head);
std::unique_ptr<Projector> MakeResponses(const AnswerHead& head);

}  // namespace parity::tiny_server::reference

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_REFERENCE_NAMES_H_
