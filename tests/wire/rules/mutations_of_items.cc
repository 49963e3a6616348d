// Of streams that are made of blocks and items.
#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {

std::vector<Mutation> OfMessages() {
  return {
      {"NoEventLine", "messages/streamed", Replace("event: content_block_delta\n", ""), "A-01"},
      {"OtherEventLine", "messages/streamed", Replace("event: ping", "event: pong"), "A-01"},
      {"DoneOnMessages", "messages/streamed", Append("data: [DONE]\n\n"), "A-01"},
      {"BlockNotClosed", "messages/tools_streamed", Drop("content_block_stop"), "A-02"},
      {"BlockIndexTwice", "messages/tools_streamed", ReplaceAll("\"index\":1", "\"index\":0"),
       "A-02"},
      {"DeltaOfAnotherBlock", "messages/other",
       Replace("content_block_delta\",\"index\":0", "content_block_delta\",\"index\":1"), "A-02"},
      {"ToolWithoutId", "messages/tools_streamed", Replace("\"id\":\"toolu_b1\",", ""), "A-03"},
      {"InputThatDoesNotJoin", "messages/called_streamed", Replace("\\\"Rome\\\"}", "\\\"Rome"),
       "A-03"},
      {"CountFalls", "messages/streamed", Replace("\"output_tokens\":0", "\"output_tokens\":9"),
       "A-04"},
      {"StopSequenceAbsent", "messages/plain", Replace(",\"stop_sequence\":null", ""), "A-05"},
      {"StopSequenceNotTold", "messages/stopped",
       Replace("\"stop_sequence\":\"END\"", "\"stop_sequence\":null"), "A-05"},
      {"StopSequenceNotAsked", "messages/stopped", Replace("\"END\"", "\"FIN\""), "A-05"},
      {"ContentMissing", "messages/stopped",
       Replace("\"content\":[{\"type\":\"text\",\"text\":\"the \"}],", ""), "A-06"},
      {"OpenAiEnvelope", "messages/orphan", Replace("{\"type\":\"error\",", "{"), "A-08"},
      {"UnknownErrorType", "messages/failed_midway", Replace("api_error", "engine_error"), "A-08"},
      {"MaxTokensNotRequired", "messages/no_max_tokens", Replace("HTTP/1.1 400", "HTTP/1.1 422"),
       "A-09"},
      {"StartTwice", "messages/streamed", Repeat("message_start"), "W-19"},
      {"NoStop", "messages/streamed", Drop("message_stop"), "W-19"},
      {"TextInATool", "messages/tools_streamed",
       Replace("\"input_json_delta\",\"partial_json\":\"{", "\"text_delta\",\"partial_json\":\"{"),
       "W-19"},
      {"ThinkingAfterItsSignature", "messages/tools_streamed", SwapWithNext("\"thinking\":\"so\""),
       "W-19"},
      {"NoInputTokens", "messages/streamed", Replace("\"input_tokens\":0,", ""), "U-06"},
      {"NoOutputTokens", "messages/other", Replace("{\"output_tokens\":4}", "{}"), "U-06"},
      {"BlockOfNoType", "messages/stopped", Replace("{\"type\":\"text\"", "{\"type\":\"txt\""),
       "schema.core"},
      {"StreamOfOtherText", "messages/streamed", Replace("God said", "Man said"), "W-22"},
  };
}

std::vector<Mutation> OfResponses() {
  return {
      {"NumberLeftOut", "responses/streamed",
       Replace("\"sequence_number\":3", "\"sequence_number\":4"), "R-01"},
      {"NoInProgressFirst", "responses/failed_midway",
       Then(Replace("response.created", "response.x"), Replace("response.created", "response.x")),
       "R-02"},
      {"ItemIdChanges", "responses/streamed", Replace("\"item_id\":\"msg_", "\"item_id\":\"msg_9"),
       "R-03"},
      {"NoOutputIndex", "responses/streamed",
       Replace("\"output_index\":0,\"content_index\"", "\"content_index\""), "R-03"},
      {"NoContentIndex", "responses/streamed", Replace("\"content_index\":0,", ""), "R-03"},
      {"FinalObjectHasAnotherId", "responses/streamed",
       ReplaceLast("\"output\":[{\"id\":\"msg_", "\"output\":[{\"id\":\"msg_9"), "R-03"},
      {"OutputIndexTwice", "responses/tools_streamed",
       ReplaceAll("\"output_index\":1", "\"output_index\":2"), "R-04"},
      {"DoneSaysOtherwise", "responses/streamed",
       Replace("\"content_index\":0,\"text\":\"God", "\"content_index\":0,\"text\":\"Man"), "R-05"},
      {"ItemNeverDone", "responses/cut",
       Then(Drop("output_item.done"),
            Replace("\"type\":\"response.incomplete\",\"sequence_number\":8",
                    "\"type\":\"response.incomplete\",\"sequence_number\":7")),
       "R-06"},
      {"NoLogprobs", "responses/streamed",
       Replace(",\"delta\":\"God said, \",\"logprobs\":[]", ",\"delta\":\"God said, \""), "R-07"},
      {"CutByMaxTokens", "responses/cut", ReplaceLast("\"max_output_tokens\"", "\"max_tokens\""),
       "R-08"},
      {"CutItemIsCompleted", "responses/cut",
       ReplaceLast("\"role\":\"assistant\",\"status\":\"incomplete\"",
                   "\"role\":\"assistant\",\"status\":\"completed\""),
       "R-08"},
      {"NoReasoningTokens", "responses/streamed",
       ReplaceLast("\"output_tokens_details\":{\"reasoning_tokens\":0},", ""), "R-09"},
      {"NoEcho", "responses/cut", Replace("\"tools\":[],", ""), "R-10"},
      {"UnknownPreviousIsIgnored", "responses/unknown_previous",
       Replace("\"param\":\"previous_response_id\"", "\"param\":null"), "R-11"},
      {"CallIdIsTheItems", "responses/tools_streamed",
       [](Exchange& exchange) {
         for (ConnectionEvent& event : exchange.events) {
           for (std::size_t at = 0;
                (at = event.bytes.find("\"call_0a", at)) != std::string::npos;) {
             const std::size_t id = event.bytes.rfind("\"fc_0a", at);
             const std::size_t end = event.bytes.find('"', at + 1);
             const std::string item = event.bytes.substr(id, event.bytes.find('"', id + 1) - id);
             event.bytes.replace(at, end - at, item);
             ++at;
           }
         }
       },
       "R-12"},
      {"NoTerminal", "responses/cut", Drop("response.incomplete"), "W-20"},
      {"FinalObjectCallsAnother", "responses/tools_streamed",
       ReplaceLast("\"name\":\"weather\"", "\"name\":\"wind\""), "W-47"},
  };
}

}  // namespace parity::wire::testing
