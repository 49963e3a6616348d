// Of all answers of a side, and of what two exchanges should have in common.
#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {

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
      {"AbortedInOneFamilyAlone", "metrics/again", Replace("aborted\"} 1", "aborted\"} 2"), "M-06"},
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
      {"ZeroForWhatIsNotDone", "metrics/again",
       Append("# TYPE batches_total counter\nbatches_total 0\n"), "equal.families"},
      {"OtherPrefix", "chat/marked_a", Replace("chatcmpl-", "cmpl-9"), "equal.ids"},
      {"ThinkingUnsigned", "messages/tools", Replace(",\"signature\":\"s1\"", ""), "A-07"},
      {"OrphanIsAnswered", "messages/orphan", Replace("HTTP/1.1 400", "HTTP/1.1 500"), "A-10"},
      {"ZeroMeansAnotherThing", "chat/zero", Replace("HTTP/1.1 200", "HTTP/1.1 206"), "P-03"},
  };
}

}  // namespace parity::wire::testing
