#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {

std::vector<Mutation> OfMessages();
std::vector<Mutation> OfResponses();
std::vector<Mutation> OfSides();
std::vector<Mutation> OfPairs();

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

std::vector<Mutation> OfSides() {
  return {
      {"HalfCloseIsTakenForLeaving", "chat/half_close", Replace("God said", "Man"), "L-03"},
      {"SlowReaderGetsOtherBytes", "chat/slow_reader",
       Replace("God said, \xE4\xBD\xA0", "Man said, \xE4\xBD\xA0"), "L-04"},
      {"CancelPoisons", "chat/after_cancel", Replace("God said", "Man"), "L-07"},
      {"SlotIsNotFreed", "chat/after_disconnect",
       [](Exchange& exchange) { exchange.events.resize(1); }, "L-01"},
      {"SlotIsNotFreedInPrefill", "chat/after_early_disconnect",
       [](Exchange& exchange) { exchange.events.resize(1); }, "L-02"},
      {"AnothersText", "chat/marked_a", Replace("say MARK-A", "say MARK-A MARK-B"), "L-05"},
      {"OwnMarkerIsMissing", "chat/marked_a", Replace("MARK-A", "MARK"), "L-05"},
      {"StoppingHangs", "chat/streamed_while_stopping",
       Then(DropKind(EventKind::kPeerClosed), AddEvent(EventKind::kReset)), "L-06"},
      {"StoppingAccepts", "chat/new_while_stopping", Replace("HTTP/1.1 503", "HTTP/1.1 500"),
       "L-06"},
      {"TextAfterAnError", "chat/failed_midway", SwapWithNext("\"Go\""), "L-08"},
      {"ErrorWithStatus200", "chat/shed", Replace("HTTP/1.1 503", "HTTP/1.1 200"), "E-01"},
      {"MessageStopAfterAnError", "messages/failed_midway",
       Append("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), "L-08"},
      {"QueuedAfterAnError", "responses/failed_midway",
       Append("event: response.queued\ndata: "
              "{\"type\":\"response.queued\",\"sequence_number\":3,\"response\":{\"id\":\"r\","
              "\"object\":\"response\",\"status\":\"queued\"}}\n\n"),
       "L-08"},
      {"ListedButAnotherAnswers", "chat/marked_a",
       Replace("\"model\":\"tiny\"", "\"model\":\"huge\""), "M-01"},
      {"CreatedMoves", "models/again", Replace("1767225600", "1767225601"), "M-02"},
      {"ModelsWait", "models/again", [](Exchange& exchange) { exchange.events.resize(1); }, "M-03"},
      {"UnknownModelIsFound", "models/unknown", Replace("HTTP/1.1 404", "HTTP/1.1 400"), "W-41"},
      {"CountersDoNotMove", "metrics/after", Replace("prompt\"} 112", "prompt\"} 100"), "M-04"},
      {"StaysActive", "metrics/after", Replace("requests_active 0", "requests_active 1"), "M-05"},
      {"ScrapeResets", "metrics/again",
       Then(Then(Replace("le=\"1\"} 2", "le=\"1\"} 0"), Replace("Inf\"} 3", "Inf\"} 0")),
            Replace("seconds_count 3", "seconds_count 0")),
       "M-07"},
      {"CounterFalls", "metrics/again", Replace("output\"} 54", "output\"} 53"), "W-43"},
      {"BucketsFall", "metrics/again", Replace("le=\"1\"} 2", "le=\"1\"} 4"), "W-43"},
      {"TypeTwice", "metrics/again", Append("# TYPE seconds histogram\n"), "W-43"},
      {"IdTwice", "chat/marked_b",
       [](Exchange& exchange) {
         std::string& bytes = exchange.events[1].bytes;
         const std::size_t at = bytes.find("chatcmpl-") + 9;
         bytes.replace(at, bytes.find('"', at) - at, "1");
       },
       "W-14"},
      {"IdOfOddLetters", "chat/marked_b", Replace("chatcmpl-", "chat cmpl-"), "W-14"},
      {"TotalIsAnother", "chat/marked_a", Replace("\"total_tokens\":16", "\"total_tokens\":17"),
       "U-01"},
      {"MoreReasoningThanOutput", "chat/reasoning",
       Replace("\"reasoning_tokens\":2", "\"reasoning_tokens\":9"), "U-01"},
      {"CachedBeyondThePrompt", "chat/warm",
       Replace("\"cached_tokens\":48", "\"cached_tokens\":65"), "U-02"},
      {"OtherPromptOnMessages", "messages/crossed",
       Replace("\"cache_creation_input_tokens\":12", "\"cache_creation_input_tokens\":13"), "U-03"},
      {"HiddenTokensAreNotCounted", "chat/unstopped",
       Then(Replace("\"completion_tokens\":8", "\"completion_tokens\":7"),
            Replace("\"total_tokens\":20", "\"total_tokens\":19")),
       "U-04"},
      {"CachedWhenCold", "chat/cold", Replace("\"cached_tokens\":0", "\"cached_tokens\":16"),
       "U-05"},
      {"NothingCachedWhenWarm", "chat/warm", Replace("\"cached_tokens\":48", "\"cached_tokens\":0"),
       "U-05"},
      {"StreamCountsOtherwise", "chat/streamed",
       Then(Replace("\"completion_tokens\":4", "\"completion_tokens\":5"),
            Replace("\"total_tokens\":16", "\"total_tokens\":17")),
       "U-07"},
      {"OtherFinishOnMessages", "messages/crossed", Replace("end_turn", "refusal"), "W-12"},
      {"OtherTextOnMessages", "messages/crossed", Replace("God said", "Man said"), "W-48"},
      {"ErrorAsText", "chat/not_an_object", Replace("\"message\"", "\"msg\""), "E-01"},
      {"OverflowIsTooLarge", "chat/overflow", Replace("HTTP/1.1 400", "HTTP/1.1 413"), "E-04"},
      {"CodeIsANumber", "chat/not_an_object", Replace("\"code\":null", "\"code\":400"), "E-02"},
      {"EarlyErrorAsAStream", "chat/failed_midway",
       Then(Drop("prefill"), Then(Drop("\"role\""), Drop("\"Go\""))), "E-03"},
      {"OverflowWithoutItsCode", "chat/overflow", Replace("context_length_exceeded", "too_long"),
       "E-04"},
      {"OverflowWithoutItsParam", "chat/overflow",
       Replace("\"param\":\"messages\"", "\"param\":null"), "E-04"},
      {"ErrorPoisons", "chat/after_error", [](Exchange& exchange) { exchange.events.resize(1); },
       "E-05"},
      {"MessageWithAPath", "chat/not_an_object", Replace("expected an", "/usr/src/a: expected an"),
       "E-06"},
      {"MessageWithThePrompt", "chat/overflow", Replace("the prompt has", "MARK-C has"), "E-06"},
  };
}

std::vector<Mutation> OfPairs() {
  return {
      {"StatusOfAnotherClass", "chat/shed", Replace("HTTP/1.1 503", "HTTP/1.1 429"),
       "equal.status"},
      {"OtherStates", "chat/reasoning", Then(Drop("Let me "), Drop("see.")), "equal.path"},
      {"OtherFinish", "chat/marked_a",
       Replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\""), "equal.finish"},
      {"OtherCached", "chat/warm", Replace("\"cached_tokens\":48", "\"cached_tokens\":32"),
       "equal.counts"},
      {"OtherErrorType", "chat/shed", Replace("server_error", "busy_error"), "equal.error"},
      {"NoRetryAfter", "chat/shed", Replace("Retry-After: 10\r\n", ""), "equal.headers"},
      {"LogprobsLeftOut", "chat/marked_a", Replace("\"logprobs\":null,", ""), "equal.absent"},
      {"OtherPrefix", "chat/marked_a", Replace("chatcmpl-", "cmpl-9"), "equal.ids"},
      {"ThinkingUnsigned", "messages/tools", Replace(",\"signature\":\"s1\"", ""), "A-07"},
      {"OrphanIsAnswered", "messages/orphan", Replace("HTTP/1.1 400", "HTTP/1.1 500"), "A-10"},
      {"ZeroMeansAnotherThing", "chat/zero", Replace("HTTP/1.1 200", "HTTP/1.1 206"), "P-03"},
  };
}

}  // namespace parity::wire::testing
