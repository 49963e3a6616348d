#include "gtest_parity/engines/tiny/serve/transcript.h"

namespace parity::tiny {
namespace {

// A call's block as it was sampled, where that is known; else as its arguments have it.
std::string RenderCall(const ToolCall& call, const Pieces& pieces, const ToolMap& tools,
                       const std::string& where) {
  if (const std::string* block = tools.Find(call.id)) return *block;
  std::string block = BlockOf(call.arguments);
  pieces.CheckPlain(block, where + ".tool_calls");
  return block;
}

std::string RenderMessage(const ChatMessage& message, const Pieces& pieces, const ToolMap& tools,
                          const std::string& where) {
  pieces.CheckPlain(message.role, where + ".role");
  pieces.CheckPlain(message.content, where + ".content");
  std::string text = message.role + ":";
  if (message.calls.empty() || !message.content.empty()) text += " " + message.content;
  for (const ToolCall& call : message.calls) text += RenderCall(call, pieces, tools, where);
  return text + pieces.eos();
}

}  // namespace

std::string Render(const ServeRequest& request, const Pieces& pieces, const ToolMap& tools,
                   const KvPolicy& policy) {
  std::string text = pieces.bos();
  for (const std::string& bytes : request.attachments) {
    text += Pieces::Attachment(policy.Hash(bytes));
  }
  if (!request.chat) {
    pieces.CheckPlain(request.prompt, "request.prompt");
    return text + request.prompt;
  }
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    text += RenderMessage(request.messages[i], pieces, tools,
                          "request.messages[" + std::to_string(i) + "]");
  }
  text += "assistant:";
  if (request.think_tokens != 0) return text + " " + kThinkingBegin;
  return request.think ? text : text + " " + kClosedThinking;
}

}  // namespace parity::tiny
