#include <algorithm>

#include "gtest_parity/engines/tiny/server/mutant_hooks.h"

namespace parity::tiny_server {

std::span<const WireMutant> AllWireMutants() {
  // clang-format off
  static const std::vector<WireMutant> kMutants = {
      // Streams of chunks.
      {.name = "drop_done", .rule = "S-10", .what = "a stream of chunks ends without [DONE]", .frames = DropDone},
      {.name = "double_done", .rule = "S-10", .what = "[DONE] comes twice", .frames = DoubleDone},
      {.name = "data_after_done", .rule = "S-11", .what = "a chunk comes behind [DONE]", .frames = SayAfterDone},
      {.name = "double_finish", .rule = "C-03", .what = "the chunk with the finish reason comes twice", .frames = FinishTwice},
      {.name = "finish_missing", .rule = "C-03", .what = "no chunk has a finish reason", .frames = NeverFinish},
      {.name = "finish_empty", .rule = "C-03", .what = "chunks before the last have \"\" as finish reason", .frames = FinishEmptyBefore},
      {.name = "role_repeated", .rule = "C-02", .what = "each delta has the role", .frames = RepeatRole},
      {.name = "role_missing", .rule = "C-02", .what = "no delta has the role", .frames = DropRole},
      {.name = "id_changes", .rule = "C-01", .what = "each chunk has an id of its own", .frames = ChangeId},
      {.name = "created_moves", .rule = "C-01", .what = "each chunk has a time of its own", .frames = MoveCreated},
      {.name = "model_changes", .rule = "C-01", .what = "chunks behind the first name another model", .frames = ChangeModel},
      {.name = "chat_in_completions", .rule = "P-05", .what = "completions stream the chunks of chat", .frames = SayChatInCompletions},
      {.name = "usage_on_every_chunk", .rule = "C-05", .what = "each chunk tells a usage", .frames = RepeatUsage},
      {.name = "usage_missing", .rule = "C-05", .what = "the usage that was asked for is not told", .frames = DropUsage},
      {.name = "usage_unasked", .rule = "C-05", .what = "a usage is told that nobody asked for", .frames = TellUsageUnasked},
      {.name = "usage_stream_differs", .rule = "U-07", .what = "streams count one token more than whole answers", .frames = CountOneMoreInStreams},
      {.name = "stream_length_as_stop", .rule = "C-09", .what = "a stream that was cut says stop", .frames = CallCutStopped},
      {.name = "call_index_missing", .rule = "C-08", .what = "deltas of calls have no index", .frames = DropCallIndex},
      {.name = "call_name_repeated", .rule = "C-08", .what = "each delta of a call has its name", .frames = RepeatCallName},
      {.name = "call_arguments_null", .rule = "C-08", .what = "a call's first delta has null as arguments", .frames = NullArguments},
      {.name = "partial_json_broken", .rule = "A-03", .what = "streamed arguments lack their last brace", .frames = BreakArguments},
      {.name = "utf8_split", .rule = "S-01", .what = "a character of several bytes is told in two parts", .frames = SplitCharacters},
      {.name = "last_blank_line", .rule = "S-07", .what = "the last event has no blank line behind it", .text = DropLastBlankLine},
      // Streams of Messages.
      {.name = "no_event_line", .rule = "S-09", .what = "events of Messages have no line that names them", .frames = DropEventLines},
      {.name = "event_name_wrong", .rule = "S-09", .what = "deltas are named otherwise than their type", .frames = NameEventsWrong},
      {.name = "two_blocks_open", .rule = "A-02", .what = "a block begins before the one before it has ended", .frames = LeaveBlocksOpen},
      {.name = "block_index_stuck", .rule = "A-02", .what = "every block is number 0", .frames = KeepBlockIndex},
      {.name = "message_stop_missing", .rule = "A-01", .what = "a message does not end", .frames = DropMessageStop},
      {.name = "done_in_messages", .rule = "A-01", .what = "[DONE] comes behind a message", .frames = SayDoneInMessages},
      {.name = "stop_sequence_null", .rule = "A-05", .what = "the stop string that was found is not told", .frames = DropStopSequence},
      {.name = "output_not_cumulative", .rule = "A-04", .what = "message_delta counts its own token alone", .frames = CountTheLastOnly},
      {.name = "signature_missing", .rule = "A-07", .what = "thinking ends without signature", .frames = DropSignature},
      // Streams of Responses.
      {.name = "sequence_gap", .rule = "R-01", .what = "one number is left out", .frames = SkipSequence},
      {.name = "sequence_from_one", .rule = "R-01", .what = "numbers begin with 1", .frames = CountSequenceFromOne},
      {.name = "missing_content_part_done", .rule = "R-06", .what = "a part of a message is not done", .frames = DropPartDone},
      {.name = "item_id_changes", .rule = "R-03", .what = "an item is done under another id", .frames = ChangeItemId},
      {.name = "output_index_stuck", .rule = "R-04", .what = "every item is number 0", .frames = KeepOutputIndex},
      {.name = "incomplete_as_completed", .rule = "R-08", .what = "a stream that was cut is completed", .frames = CompleteTheIncomplete},
      {.name = "done_text_differs", .rule = "R-05", .what = "the text that is done lacks its last byte", .frames = ShortenDone},
      {.name = "created_missing", .rule = "R-02", .what = "the first event is not response.created", .frames = DropCreated},
      {.name = "terminal_twice", .rule = "R-13", .what = "the last event comes twice", .frames = EndTwice},
      {.name = "logprobs_missing", .rule = "R-07", .what = "deltas of text have no logprobs", .frames = DropLogprobs},
      // Whole answers.
      {.name = "usage_sum_wrong", .rule = "U-01", .what = "the total is one more than the sum", .body = SumOneMore},
      {.name = "cached_over_prompt", .rule = "U-02", .what = "more tokens are cached than the prompt has", .body = CacheMoreThanThereIs},
      {.name = "input_counts_cached", .rule = "U-01", .what = "Messages count cached tokens as input too", .body = CountCachedTwice},
      {.name = "whole_text_differs", .rule = "C-07", .what = "a whole answer lacks the last byte of the streamed one", .body = ShortenText},
      {.name = "id_repeats", .rule = "L-05", .what = "all whole answers have one id", .body = RepeatIds},
      {.name = "finish_length_as_stop", .rule = "C-09", .what = "a whole answer that was cut says stop", .body = StopTheCut},
      // Errors, headers, the connection.
      {.name = "numeric_error_code", .rule = "E-02", .what = "the code of an error is a number", .reply = NumberCodes},
      {.name = "error_param_missing", .rule = "E-01", .what = "errors have no param", .reply = DropErrorParam},
      {.name = "wrong_envelope", .rule = "A-08", .what = "Messages tell errors as OpenAI does", .reply = SpeakOpenAi},
      {.name = "error_as_text", .rule = "E-01", .what = "errors are told as text/plain", .reply = SayPlainText},
      {.name = "error_200", .rule = "E-03", .what = "errors of requests have status 200", .quirk = Quirk::kLateErrors},
      {.name = "cors_missing", .rule = "H-10", .what = "nothing is allowed to other origins", .reply = DropCors},
      {.name = "shed_without_retry_after", .rule = "W-shed", .what = "who is turned away is not told when to come back", .reply = DropRetryAfter},
      {.name = "shed_as_failure", .rule = "W-shed", .what = "who is turned away gets status 500", .reply = ShedAsFailure},
      {.name = "chunked_without_end", .rule = "H-09", .what = "a stream ends without the last chunk", .quirk = Quirk::kNoLastChunk},
      {.name = "content_length_long", .rule = "H-08", .what = "a whole answer is shorter than it says", .quirk = Quirk::kLengthTooLong},
      {.name = "burst_at_end", .rule = "S-12", .what = "all events of a stream come at its end", .quirk = Quirk::kBursts},
      // What the text is, and what is done.
      {.name = "stop_leaked", .rule = "C-11", .what = "the stop string is told", .quirk = Quirk::kStopLeaked},
      {.name = "hold_back_lost", .rule = "C-11", .what = "what might have been a stop string is never told", .quirk = Quirk::kHoldBackLost},
      {.name = "think_tag_leaked", .rule = "C-10", .what = "thinking is told as text, with its marker", .quirk = Quirk::kThinkTagLeaked},
      {.name = "wrong_lane", .rule = "W-lane", .what = "what is for the continuous lane is served by the serial one", .quirk = Quirk::kWrongLane},
      {.name = "counter_not_moved", .rule = "M-06", .what = "completed requests are not counted", .quirk = Quirk::kCompletedNotCounted},
      {.name = "tokens_counted_twice", .rule = "M-04", .what = "generated tokens are counted twice", .quirk = Quirk::kCountsTwice},
      {.name = "slot_leak_on_disconnect", .rule = "M-05", .what = "a client that goes leaves its session in use", .quirk = Quirk::kSlotLeaks},
      {.name = "runs_on", .rule = "L-01", .what = "an answer that nobody waits for is generated to its end", .quirk = Quirk::kRunsOn},
      {.name = "continuation_lost", .rule = "W-cont", .what = "calls cannot be gone on with", .quirk = Quirk::kContinuationLost},
      {.name = "continuation_stays", .rule = "W-cont", .what = "a call can be gone on with twice", .quirk = Quirk::kContinuationStays},
      {.name = "shutdown_cuts_streams", .rule = "L-06", .what = "streams are cut when the server stops", .quirk = Quirk::kShutdownCutsStreams},
  };
  // clang-format on
  return kMutants;
}

std::string WireMutantTable() {
  std::size_t widest = 0;
  for (const WireMutant& mutant : AllWireMutants()) {
    widest = std::max(widest, std::string(mutant.name).size());
  }
  std::string table;
  for (const WireMutant& mutant : AllWireMutants()) {
    std::string name = mutant.name, rule = mutant.rule;
    name.resize(widest + 2, ' ');
    rule.resize(8, ' ');
    table += name + rule + mutant.what + "\n";
  }
  return table;
}

}  // namespace parity::tiny_server
