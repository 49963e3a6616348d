#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server {
namespace {

std::unique_ptr<Projector> Project(const AnswerHead& head) {
  switch (head.surface) {
    case Surface::kChat:
      return reference::MakeChat(head);
    case Surface::kCompletions:
      return reference::MakeCompletions(head);
    case Surface::kMessages:
      return reference::MakeMessages(head);
    case Surface::kResponses:
      return reference::MakeResponses(head);
  }
  return nullptr;
}

Json ErrorBody(Surface surface, const WireError& error) {
  if (surface != Surface::kMessages) return {{"error", reference::OpenAiError(error)}};
  return {{"type", "error"},
          {"error", {{"type", AnthropicErrorType(error.status)}, {"message", error.what()}}}};
}

}  // namespace

const Variant kReference = {"reference", Project, ErrorBody};

}  // namespace parity::tiny_server
