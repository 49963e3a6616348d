#include "tests/wire/rules/mutation_table.h"

namespace parity::wire::testing {
namespace {

// What a buffered twin of chat/plain answers instead.
Edit OtherText() { return Replace("God said", "Man said"); }

// The probe's answer becomes another status.
Edit Status(const std::string& from, const std::string& to) {
  return Replace("HTTP/1.1 " + from, "HTTP/1.1 " + to);
}

Edit AtOnce() {
  return [](Exchange& exchange) {
    for (ConnectionEvent& event : exchange.events) {
      if (event.kind != EventKind::kSent) event.at_us = 1000;
    }
  };
}

// A usage chunk before [DONE], of the same stream.
Edit UsageChunk() {
  return [](Exchange& exchange) {
    const std::string bytes = exchange.Received();
    const std::size_t begin = bytes.find("{\"id\""), end = bytes.find("\"choices\"", begin);
    Replace("data: [DONE]",
            "data: " + bytes.substr(begin, end - begin) +
                "\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,"
                "\"total_tokens\":2}}\n\ndata: [DONE]")(exchange);
  };
}

std::vector<Mutation> OfHttp() {
  return {
      {"ChunkedRequestIsEmpty", "chat/chunked_request", OtherText(), "H-01"},
      {"BothLengthsAreReadByLength", "chat/length_and_chunked", OtherText(), "H-02"},
      {"DribbledRequestIsCut", "chat/dribbled", OtherText(), "H-03"},
      {"ExpectIsAnsweredOtherwise", "chat/expect_continue", OtherText(), "H-04"},
      {"HeaderCaseMatters", "chat/header_case", OtherText(), "H-05"},
      {"LineFeedsMatter", "chat/bare_line_feeds", OtherText(), "H-05"},
      {"ClosedThatShouldBeKept", "chat/kept_alive", Drop("again"), "H-06"},
      {"BodyBytesAreTheNextRequest", "chat/bad_json",
       Append("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), "H-06", false},
      {"SaysCloseAndDoesNot", "chat/plain",
       Then(DropKind(EventKind::kPeerClosed), AddEvent(EventKind::kTimedOut)), "H-06"},
      {"PipelinedOutOfOrder", "models/pipelined", SwapWithNext("\"object\":\"list\""), "H-07"},
      {"PipelinedOneTooMany", "models/pipelined",
       Append(
           "HTTP/1.1 404 Not Found\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n"),
       "H-07", false},
      {"NoContentType", "chat/plain", Replace("Content-Type: application/json", "X: y"), "H-08"},
      {"TwoValues", "chat/marked_a", Append("{}"), "H-08"},
      {"NotJson", "chat/shed", ReplaceLast("}", ""), "H-08"},
      {"KeyTwice", "chat/marked_a", Replace("\"index\":0", "\"index\":0,\"index\":0"), "H-08"},
      {"LengthTooLong", "chat/marked_a", Replace("Content-Length: 3", "Content-Length: 9"), "H-08",
       false},
      {"LengthTooShort", "chat/marked_a", Append("\n"), "H-08", false},
      {"UntilClose", "chat/marked_a", Replace("Content-Length:", "X-Length:"), "H-08"},
      {"CodedIsCut", "chat/gzip",
       [](Exchange& exchange) {
         std::string& bytes = exchange.events[1].bytes;
         bytes.resize(bytes.size() - 8);
       },
       "H-08.coding"},
      {"CodedUnasked", "chat/gzip",
       [](Exchange& exchange) {
         std::string& sent = exchange.events[0].bytes;
         sent.replace(sent.find("gzip"), 4, "none");
       },
       "H-08.coding", false},
      {"CodedInNameAlone", "chat/marked_a",
       Replace("Content-Type:", "Content-Encoding: gzip\r\nContent-Type:"), "H-08.coding"},
      {"StreamAsText", "chat/n2", Replace("text/event-stream", "text/plain"), "H-09"},
      {"StreamWithoutLastChunk", "chat/chunked_coding",
       Then(Drop("0\r\n\r\n"), AddEvent(EventKind::kPeerClosed)), "H-09"},
      {"StreamNeverEnds", "chat/n2",
       Then(DropKind(EventKind::kPeerClosed), AddEvent(EventKind::kTimedOut)), "H-09"},
      {"StreamIsReset", "chat/chunked_coding", Then(Drop("0\r\n\r\n"), AddEvent(EventKind::kReset)),
       "H-09"},
      {"StreamWithLength", "chat/n2",
       [](Exchange& exchange) {
         const std::string bytes = exchange.Received();
         const std::size_t body = bytes.size() - bytes.find("\r\n\r\n") - 4;
         Replace("Cache-Control",
                 "Content-Length: " + std::to_string(body) + "\r\nCache-Control")(exchange);
       },
       "H-09", false},
      {"PreflightForgetsAHeader", "preflight", Replace("x-api-key, *", "x-api-key"), "H-10"},
      {"PreflightStarCoversNoCredential", "preflight", Replace("authorization, ", ""), "H-10"},
      {"NoCorsOnErrors", "chat/shed", Replace("Access-Control-Allow-Origin", "X-Origin"), "H-10"},
      {"UnknownPathIsBad", "other/unknown", Status("404", "400"), "H-11"},
      {"WrongMethodIsBad", "chat/wrong_method", Status("405", "400"), "H-11"},
      {"BadJsonIsAFault", "chat/bad_json", Status("400", "500"), "H-11"},
      {"TooLargeIsAFault", "chat/too_large", Status("413", "500"), "H-11"},
      {"QueryMatters", "chat/query", OtherText(), "H-12"},
      {"RetryAfterInWords", "chat/shed", Replace("Retry-After: 10", "Retry-After: soon"), "H-13"},
      {"RetryAfterMsInWords", "chat/shed", Replace("ms: 10000", "ms: 10s"), "H-13"},
      {"ShouldRetryYes", "chat/shed", Replace("retry: true", "retry: yes"), "H-13"},
      {"MalformedChunksAreTaken", "chat/chunked_malformed", Status("400", "500"), "W-02"},
  };
}

std::vector<Mutation> OfLines() {
  return {
      {"CutCodePointBecomesAMark", "messages/other", Replace("light", "li\xEF\xBF\xBDt"), "S-01"},
      {"MarkInTheMiddle", "chat/n2", Replace("data: [DONE]", "\xEF\xBB\xBF: x\n\ndata: [DONE]"),
       "S-02"},
      {"ErrorAsAField", "chat/n2", Replace("data: [DONE]", "error: {}\n\ndata: [DONE]"), "S-03"},
      {"CommentInAnEvent", "messages/streamed",
       Replace("event: message_stop\n", "event: message_stop\n: prefill\n"), "S-04"},
      {"LinesThatDoNotJoin", "chat/n2", Replace("\"content\":\"a\"", "\"content\":\"\ndata: a\""),
       "S-05"},
      {"EventWithoutData", "messages/streamed", Append("event: ping\n\n"), "S-06"},
      {"AnId", "chat/n2", Replace("data: [DONE]", "id: 7\ndata: [DONE]"), "S-06"},
      {"LastEventWithoutItsLine", "messages/streamed",
       Replace("\"type\":\"message_stop\"}\n\n",
               "\"type\":\"message_stop\"}\n\nevent: ping\ndata: {\"type\":\"ping\"}\n"),
       "S-07"},
      {"NoObject", "chat/n2", Replace("data: [DONE]", "data: 1\n\ndata: [DONE]"), "S-08"},
      {"TwoObjects", "chat/n2", Replace("data: [DONE]", "data: {} {}\n\ndata: [DONE]"), "S-08"},
      {"NamedChunk", "chat/n2", Replace("data: {\"id\"", "event: chunk\ndata: {\"id\""), "S-09"},
      {"NamedOtherwise", "responses/cut",
       Replace("event: response.in_progress", "event: response.queued"), "S-09"},
      {"NoDone", "chat/n2", Drop("[DONE]"), "S-10"},
      {"TwoDone", "completions/streamed", Repeat("[DONE]"), "S-10"},
      {"TwoDoneOfResponses", "responses/cut", Append("data: [DONE]\n\ndata: [DONE]\n\n"), "S-10"},
      {"ChunkBehindDone", "chat/n2",
       SwapWithNext("\"index\":0,\"delta\":{},\"finish_reason\":\"stop\""), "S-11"},
      {"PingBehindTheEnd", "messages/streamed", SwapWithNext("message_delta"), "W-19"},
      {"EventBehindTheEnd", "messages/streamed",
       Append("event: ping\ndata: {\"type\":\"ping\"}\n\n"), "S-11"},
      {"TwoTerminals", "responses/cut",
       Append("data: "
              "{\"type\":\"error\",\"sequence_number\":9,\"code\":null,\"message\":\"late\"}\n\n"),
       "S-11"},
      {"OneBurst", "chat/long", AtOnce(), "S-12"},
  };
}

std::vector<Mutation> OfChat() {
  return {
      {"OtherIdMidway", "chat/n2", ReplaceLast("\"id\":\"chatcmpl-", "\"id\":\"chatcmpl-9"),
       "C-01"},
      {"OtherTimeMidway", "chat/n2", ReplaceLast("1767225600", "1767225601"), "C-01.created"},
      {"OtherModelMidway", "completions/streamed",
       ReplaceLast("\"model\":\"tiny\"", "\"model\":\"t\""), "C-01"},
      {"ChunkOfAnotherObject", "chat/n2", ReplaceLast("chat.completion.chunk", "chat.completion"),
       "C-01"},
      {"NoRole", "chat/streamed", Drop("\"role\""), "C-02"},
      {"RoleTwice", "chat/streamed", Repeat("\"role\""), "C-02"},
      {"RoleNull", "chat/streamed",
       Replace("{\"content\":\"God ", "{\"role\":null,\"content\":\"God "), "C-02"},
      {"NoFinish", "chat/n2", DropLast("\"finish_reason\":\"stop\""), "C-03"},
      {"TwoFinishes", "completions/streamed", Repeat("\"finish_reason\":\"stop\""), "C-03"},
      {"FinishEmpty", "chat/n2", Replace("\"finish_reason\":null", "\"finish_reason\":\"\""),
       "C-03"},
      {"FinishAbsent", "chat/n2", Replace(",\"finish_reason\":null", ""), "C-03"},
      {"TextInTheLastChunk", "chat/n2",
       ReplaceLast("\"delta\":{}", "\"delta\":{\"content\":\"z\"}"), "C-04"},
      {"NoUsageChunk", "chat/reasoning", Drop("\"usage\""), "C-05"},
      {"TwoUsageChunks", "chat/reasoning", Repeat("\"usage\""), "C-05"},
      {"UsageNotAsked", "chat/n2", UsageChunk(), "C-05"},
      {"OneChoiceOfTwo", "chat/n2",
       Then(Then(Drop("\"index\":1"), Drop("\"index\":1")), Drop("\"index\":1")), "C-06"},
      {"StreamSaysOtherwise", "chat/streamed", Replace("God ", "Man "), "C-07"},
      {"CallWithoutIndex", "chat/tools_streamed", Replace("{\"index\":0,\"id\"", "{\"id\""),
       "C-08"},
      {"CallWithoutType", "chat/tools_streamed", Replace("\"type\":\"function\",", ""), "C-08"},
      {"CallsWithOneId", "chat/tools_streamed", Replace("call_b2", "call_b1"), "C-08"},
      {"CallWithAHole", "chat/tools_streamed",
       Then(ReplaceAll("{\"index\":1,\"function\"", "{\"index\":2,\"function\""),
            Replace("{\"index\":1,\"id\"", "{\"index\":2,\"id\"")),
       "C-08"},
      {"ArgumentsNull", "chat/tools_streamed", Replace("\"arguments\":\"\"", "\"arguments\":null"),
       "C-08"},
      {"CallsButStop", "chat/called", Replace("\"tool_calls\"}", "\"stop\"}"), "C-09"},
      {"NoCallsButToolCalls", "chat/marked_a",
       Replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"tool_calls\""), "C-09"},
      {"MarkupShows", "chat/marked_a", Replace("say MARK-A", "</think>say MARK-A"), "C-10"},
      {"MarkupShowsInReasoning", "chat/reasoning", Replace("see.", "<|see."), "C-10"},
      {"StopStringLeaks", "chat/stopped", Replace("one two", "one two th"), "C-11"},
      {"PartOfAStopStringLeaks", "chat/stopped", Replace("one two", "one two t"), "C-11"},
      {"StopMatchedButLength", "chat/stopped",
       Then(Replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\""),
            Then(Replace("\"completion_tokens\":3", "\"completion_tokens\":8"),
                 Replace("\"total_tokens\":15", "\"total_tokens\":20"))),
       "C-11"},
      {"LogprobAboveZero", "chat/logprobs",
       Replace("\"token\":\"Go\",\"logprob\":-0.5", "\"token\":\"Go\",\"logprob\":0.5"), "C-12"},
      {"BytesOfOtherTokens", "chat/logprobs", Replace("[100]", "[101]"), "C-12"},
      {"TopNotDescending", "chat/logprobs", Replace("-1.5", "-0.1"), "C-12"},
      {"RefusalInTheMiddleOfCalls", "chat/called_streamed",
       Replace("{\"tool_calls\":[{\"index\":0,\"function\"",
               "{\"refusal\":\"no\",\"tool_calls\":[{\"index\":0,\"function\""),
       "W-17"},
  };
}

std::vector<Mutation> OfCompletions() {
  return {
      {"EchoWithoutPrompt", "completions/echo", Replace("In the beginning", ""), "P-01"},
      {"SuffixIsIgnored", "completions/suffix", Status("400", "422"), "P-01.suffix"},
      {"BatchIsCut", "completions/batch", ReplaceLast("\"index\":3", "\"index\":2"), "P-02"},
      {"OffsetsFall", "completions/logprobs", Replace("[0,2]", "[2,0]"), "P-04"},
      {"OffsetsBeyondTheText", "completions/logprobs", Replace("[0,2]", "[0,9]"), "P-04"},
      {"DeltasOnCompletions", "completions/streamed",
       Replace("\"index\":0", "\"delta\":{},\"index\":0"), "W-18"},
      {"RoleOnCompletions", "completions/streamed",
       Replace("\"text\":\" God\"", "\"text\":\" God\",\"delta\":{\"role\":\"assistant\"}"),
       "W-18"},
  };
}

}  // namespace

std::vector<Mutation> Mutations() {
  std::vector<Mutation> all;
  for (const auto& part : {OfHttp(), OfLines(), OfChat(), OfCompletions(), OfMessages(),
                           OfResponses(), OfSides(), OfPairs()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace parity::wire::testing
