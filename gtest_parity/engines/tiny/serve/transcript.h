// The text that a request's prompt is rendered to: what a record's key is made of.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_TRANSCRIPT_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_TRANSCRIPT_H_

#include <string>

#include "gtest_parity/engines/tiny/serve/kv_policy.h"
#include "gtest_parity/engines/tiny/serve/pieces.h"
#include "gtest_parity/engines/tiny/serve/request.h"
#include "gtest_parity/engines/tiny/serve/tool_map.h"

namespace parity::tiny {

// What an assistant's turn begins with that is not to think.
inline constexpr char kClosedThinking[] = "<think></think>";
// What stands around the thinking of a turn that is to think for so many tokens.
inline constexpr char kThinkingBegin[] = "<think>";
inline constexpr char kThinkingEnd[] = "</think>";

// bos, attachments, then the prompt, or each message as chat_template.jinja has it and the
// beginning of the assistant's turn. Throws EngineError (PARITY_INVALID) where a text spells a
// control marker.
std::string Render(const ServeRequest& request, const Pieces& pieces, const ToolMap& tools,
                   const KvPolicy& policy);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_TRANSCRIPT_H_
