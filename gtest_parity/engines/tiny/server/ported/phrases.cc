#include "gtest_parity/engines/tiny/server/ported/phrases.h"

namespace parity::tiny_server::ported {
namespace {

constexpr Surface kChat = Surface::kChat, kText = Surface::kCompletions,
                  kMessages = Surface::kMessages, kResponses = Surface::kResponses;

struct Object {
  Surface surface;
  const char* name;
  const char* data;
};

constexpr char kOpenAiUsage[] =
    R"({"prompt_tokens":"$prompt","completion_tokens":"$output","total_tokens":"$total",)"
    R"("prompt_tokens_details":{"cached_tokens":"$cached"},)"
    R"("completion_tokens_details":{"reasoning_tokens":"$reasoning_tokens"}})";
constexpr char kOpenAiError[] =
    R"({"error":{"message":"$message","type":"$type","param":"$param","code":"$code"}})";

// One row is one line, however long.
// clang-format off
constexpr Object kObjects[] = {
  {kChat, "usage", kOpenAiUsage},
  {kChat, "error", kOpenAiError},
  {kChat, "call", R"({"id":"$call_id","type":"function","function":{"name":"$call_name","arguments":"$arguments"}})"},
  {kChat, "whole", R"({"id":"$id","object":"chat.completion","created":"$created","model":"$model","choices":[{"index":0,"message":{"role":"assistant","content":"$content","refusal":null,"reasoning_content":"$thought","tool_calls":"$calls"},"logprobs":null,"finish_reason":"$finish"}],"usage":"$usage"})"},

  {kText, "usage", kOpenAiUsage},
  {kText, "error", kOpenAiError},
  {kText, "whole", R"({"id":"$id","object":"text_completion","created":"$created","model":"$model","choices":[{"text":"$content","index":0,"logprobs":null,"finish_reason":"$finish"}],"usage":"$usage"})"},

  {kMessages, "error", R"({"type":"error","error":{"type":"$type","message":"$message"}})"},
  {kMessages, "reasoning", R"({"type":"thinking","thinking":"$said","signature":"$id"})"},
  {kMessages, "text", R"({"type":"text","text":"$said"})"},
  {kMessages, "call", R"({"type":"tool_use","id":"$call_id","name":"$call_name","input":"$input"})"},
  {kMessages, "usage", R"({"input_tokens":"$uncached","cache_creation_input_tokens":0,"cache_read_input_tokens":"$cached","output_tokens":"$output"})"},
  {kMessages, "whole", R"({"id":"$id","type":"message","role":"assistant","model":"$model","content":"$blocks","stop_reason":"$finish","stop_sequence":"$stop_sequence","usage":"$usage"})"},

  {kResponses, "error", kOpenAiError},
  {kResponses, "reasoning_part", R"({"type":"summary_text","text":"$said"})"},
  {kResponses, "text_part", R"({"type":"output_text","text":"$said","annotations":[],"logprobs":[]})"},
  {kResponses, "reasoning", R"({"id":"$item_id","type":"reasoning","summary":["$reasoning_part"],"status":"$status"})"},
  {kResponses, "text", R"({"id":"$item_id","type":"message","status":"$status","role":"assistant","content":["$text_part"]})"},
  {kResponses, "call", R"({"id":"$item_id","type":"function_call","status":"$status","call_id":"$call_id","name":"$call_name","arguments":"$arguments"})"},
  {kResponses, "usage", R"({"input_tokens":"$prompt","input_tokens_details":{"cached_tokens":"$cached"},"output_tokens":"$output","output_tokens_details":{"reasoning_tokens":"$reasoning_tokens"},"total_tokens":"$total"})"},
  {kResponses, "whole", R"({"id":"$id","object":"response","created_at":"$created","status":"$answer_status","error":null,"incomplete_details":"$incomplete","model":"$model","output":"$blocks","instructions":"$instructions","metadata":"$metadata","parallel_tool_calls":"$parallel_tool_calls","temperature":"$temperature","tool_choice":"$tool_choice","tools":"$tools","top_p":"$top_p","max_output_tokens":"$max_output_tokens","previous_response_id":"$previous_response_id","usage":"$final_usage"})"},
};

#define CHUNK(delta, finish) \
  R"({"id":"$id","object":"chat.completion.chunk","created":"$created","model":"$model","choices":[{"index":0,"delta":)" delta \
  R"(,"logprobs":null,"finish_reason":)" finish R"(}],"usage":"$no_usage"})"
#define PIECE(text, finish) \
  R"({"id":"$id","object":"text_completion","created":"$created","model":"$model","choices":[{"text":)" text \
  R"(,"index":0,"logprobs":null,"finish_reason":)" finish R"(}],"usage":"$no_usage"})"
#define ITEM(type, rest) R"({"type":")" type R"(","sequence_number":"$sequence",)" rest "}"
#define PART(type, index, rest) ITEM(type, R"("item_id":"$item_id","output_index":"$index",")" index R"(":0,)" rest)

const std::vector<Phrase> kPhrases = {
  {kChat, Moment::kBegin, Block::kNone, "", CHUNK(R"({"role":"assistant","content":""})", "null")},
  {kChat, Moment::kDelta, Block::kReasoning, "", CHUNK(R"({"reasoning_content":"$delta"})", "null")},
  {kChat, Moment::kDelta, Block::kText, "", CHUNK(R"({"content":"$delta"})", "null")},
  {kChat, Moment::kOpen, Block::kCall, "", CHUNK(R"({"tool_calls":[{"index":"$call_index","id":"$call_id","type":"function","function":{"name":"$call_name","arguments":""}}]})", "null")},
  {kChat, Moment::kDelta, Block::kCall, "", CHUNK(R"({"tool_calls":[{"index":"$call_index","function":{"arguments":"$arguments"}}]})", "null")},
  {kChat, Moment::kEnd, Block::kNone, "", CHUNK("{}", R"("$finish")")},
  {kChat, Moment::kEnd, Block::kNone, "", R"({"id":"$id","object":"chat.completion.chunk","created":"$created","model":"$model","choices":[],"usage":"$wanted_usage"})"},
  {kChat, Moment::kEnd, Block::kNone, "", R"("[DONE]")"},
  {kChat, Moment::kFailure, Block::kNone, "error", R"("$error")"},

  {kText, Moment::kDelta, Block::kText, "", PIECE(R"("$delta")", "null")},
  {kText, Moment::kEnd, Block::kNone, "", PIECE(R"("")", R"("$finish")")},
  {kText, Moment::kEnd, Block::kNone, "", R"({"id":"$id","object":"text_completion","created":"$created","model":"$model","choices":[],"usage":"$wanted_usage"})"},
  {kText, Moment::kEnd, Block::kNone, "", R"("[DONE]")"},
  {kText, Moment::kFailure, Block::kNone, "error", R"("$error")"},

  {kMessages, Moment::kBegin, Block::kNone, "message_start", R"({"type":"message_start","message":"$whole"})"},
  {kMessages, Moment::kOpen, Block::kReasoning, "content_block_start", R"({"type":"content_block_start","index":"$index","content_block":{"type":"thinking","thinking":"","signature":""}})"},
  {kMessages, Moment::kOpen, Block::kText, "content_block_start", R"({"type":"content_block_start","index":"$index","content_block":{"type":"text","text":""}})"},
  {kMessages, Moment::kOpen, Block::kCall, "content_block_start", R"({"type":"content_block_start","index":"$index","content_block":{"type":"tool_use","id":"$call_id","name":"$call_name","input":{}}})"},
  {kMessages, Moment::kDelta, Block::kReasoning, "content_block_delta", R"({"type":"content_block_delta","index":"$index","delta":{"type":"thinking_delta","thinking":"$delta"}})"},
  {kMessages, Moment::kDelta, Block::kText, "content_block_delta", R"({"type":"content_block_delta","index":"$index","delta":{"type":"text_delta","text":"$delta"}})"},
  {kMessages, Moment::kDelta, Block::kCall, "content_block_delta", R"({"type":"content_block_delta","index":"$index","delta":{"type":"input_json_delta","partial_json":"$arguments"}})"},
  {kMessages, Moment::kClose, Block::kReasoning, "content_block_delta", R"({"type":"content_block_delta","index":"$index","delta":{"type":"signature_delta","signature":"$id"}})"},
  {kMessages, Moment::kClose, Block::kReasoning, "content_block_stop", R"({"type":"content_block_stop","index":"$index"})"},
  {kMessages, Moment::kClose, Block::kText, "content_block_stop", R"({"type":"content_block_stop","index":"$index"})"},
  {kMessages, Moment::kClose, Block::kCall, "content_block_stop", R"({"type":"content_block_stop","index":"$index"})"},
  {kMessages, Moment::kEnd, Block::kNone, "message_delta", R"({"type":"message_delta","delta":{"stop_reason":"$finish","stop_sequence":"$stop_sequence"},"usage":{"output_tokens":"$output"}})"},
  {kMessages, Moment::kEnd, Block::kNone, "message_stop", R"({"type":"message_stop"})"},
  {kMessages, Moment::kFailure, Block::kNone, "error", R"("$error")"},

  {kResponses, Moment::kBegin, Block::kNone, "response.created", ITEM("response.created", R"("response":"$whole")")},
  {kResponses, Moment::kBegin, Block::kNone, "response.in_progress", ITEM("response.in_progress", R"("response":"$whole")")},
  {kResponses, Moment::kOpen, Block::kReasoning, "response.output_item.added", ITEM("response.output_item.added", R"("output_index":"$index","item":{"id":"$item_id","type":"reasoning","summary":[],"status":"in_progress"})")},
  {kResponses, Moment::kOpen, Block::kReasoning, "response.reasoning_summary_part.added", PART("response.reasoning_summary_part.added", "summary_index", R"("part":{"type":"summary_text","text":""})")},
  {kResponses, Moment::kDelta, Block::kReasoning, "response.reasoning_summary_text.delta", PART("response.reasoning_summary_text.delta", "summary_index", R"("delta":"$delta")")},
  {kResponses, Moment::kClose, Block::kReasoning, "response.reasoning_summary_text.done", PART("response.reasoning_summary_text.done", "summary_index", R"("text":"$said")")},
  {kResponses, Moment::kClose, Block::kReasoning, "response.reasoning_summary_part.done", PART("response.reasoning_summary_part.done", "summary_index", R"("part":"$reasoning_part")")},
  {kResponses, Moment::kClose, Block::kReasoning, "response.output_item.done", ITEM("response.output_item.done", R"("output_index":"$index","item":"$reasoning")")},
  {kResponses, Moment::kOpen, Block::kText, "response.output_item.added", ITEM("response.output_item.added", R"("output_index":"$index","item":{"id":"$item_id","type":"message","status":"in_progress","role":"assistant","content":[]})")},
  {kResponses, Moment::kOpen, Block::kText, "response.content_part.added", PART("response.content_part.added", "content_index", R"("part":{"type":"output_text","text":"","annotations":[],"logprobs":[]})")},
  {kResponses, Moment::kDelta, Block::kText, "response.output_text.delta", PART("response.output_text.delta", "content_index", R"("delta":"$delta","logprobs":[])")},
  {kResponses, Moment::kClose, Block::kText, "response.output_text.done", PART("response.output_text.done", "content_index", R"("text":"$said","logprobs":[])")},
  {kResponses, Moment::kClose, Block::kText, "response.content_part.done", PART("response.content_part.done", "content_index", R"("part":"$text_part")")},
  {kResponses, Moment::kClose, Block::kText, "response.output_item.done", ITEM("response.output_item.done", R"("output_index":"$index","item":"$text")")},
  {kResponses, Moment::kOpen, Block::kCall, "response.output_item.added", ITEM("response.output_item.added", R"("output_index":"$index","item":{"id":"$item_id","type":"function_call","status":"in_progress","call_id":"$call_id","name":"$call_name","arguments":""})")},
  {kResponses, Moment::kDelta, Block::kCall, "response.function_call_arguments.delta", ITEM("response.function_call_arguments.delta", R"("item_id":"$item_id","output_index":"$index","delta":"$arguments")")},
  {kResponses, Moment::kClose, Block::kCall, "response.function_call_arguments.done", ITEM("response.function_call_arguments.done", R"("item_id":"$item_id","output_index":"$index","arguments":"$arguments","name":"$call_name")")},
  {kResponses, Moment::kClose, Block::kCall, "response.output_item.done", ITEM("response.output_item.done", R"("output_index":"$index","item":"$call")")},
  {kResponses, Moment::kEnd, Block::kNone, "$terminal", R"({"type":"$terminal","sequence_number":"$sequence","response":"$whole"})"},
  {kResponses, Moment::kFailure, Block::kNone, "error", ITEM("error", R"("code":"$failure_code","message":"$message","param":"$param")")},
};
#undef CHUNK
#undef PIECE
#undef ITEM
#undef PART
// clang-format on

}  // namespace

const std::vector<Phrase>& Phrases() { return kPhrases; }

std::string ObjectOf(Surface surface, const std::string& name) {
  for (const Object& object : kObjects) {
    if (object.surface == surface && name == object.name) return object.data;
  }
  return "";
}

}  // namespace parity::tiny_server::ported
